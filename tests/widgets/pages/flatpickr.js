import "flatpickr/dist/flatpickr.css";
import flatpickr from "flatpickr";

const told = document.getElementById("told");
flatpickr("#arrival", { defaultDate: "2026-03-10", onChange: (_, text) => { told.textContent = `arrives ${text}`; }, static: true });
flatpickr("#stay", { mode: "range", defaultDate: ["2026-03-10", "2026-03-12"], onChange: (_, text) => { told.textContent = `stays ${text}`; } });
