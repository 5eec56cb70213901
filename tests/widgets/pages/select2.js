import "select2/dist/css/select2.css";
import "./global-jquery.js";
import select2 from "select2/dist/js/select2.full.js";

select2(window, window.jQuery);
const $ = window.jQuery;
$("#state, #tags").select2();
$("#state, #tags").on("change", (e) => { $("#told").text(`${e.target.id} is ${$(e.target).val()}`); });
