import "bootstrap/dist/css/bootstrap.css";
import * as bootstrap from "bootstrap/dist/js/bootstrap.bundle.js";

const modal = () => bootstrap.Modal.getInstance("#confirm");
document.getElementById("notify").onclick = () => new bootstrap.Toast(".toast", { delay: 3000 }).show();
document.getElementById("yes").onclick = () => {
    modal().hide();
    document.getElementById("told").textContent = "Account deleted";
};
