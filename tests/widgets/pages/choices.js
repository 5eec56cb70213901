import "choices.js/public/assets/styles/choices.css";
import Choices from "choices.js";

for (const id of ["city", "with"]) {
    const select = document.getElementById(id);
    new Choices(select, { removeItemButton: true });
    select.addEventListener("change", () => {
        document.getElementById("told").textContent = `${id} is ${[...select.selectedOptions].map((o) => o.value)}`;
    });
}
