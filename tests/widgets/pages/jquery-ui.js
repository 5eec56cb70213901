import "jquery-ui-dist/jquery-ui.css";
import "./global-jquery.js";
import "jquery-ui-dist/jquery-ui.js";

const $ = window.jQuery;
$("#list").sortable();
$("#date").datepicker({ defaultDate: "03/10/2026" });
$("#dialog").dialog({ autoOpen: false, modal: true });
$("#open").on("click", () => $("#dialog").dialog("open"));
$("#tabs").tabs();
