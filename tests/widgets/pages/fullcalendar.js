import { Calendar } from "fullcalendar";
import dayGrid from "fullcalendar/daygrid";
import interaction from "fullcalendar/interaction";
import timeGrid from "fullcalendar/timegrid";
import classic from "fullcalendar/themes/classic";
import "fullcalendar/skeleton.css";
import "fullcalendar/themes/classic/theme.css";
import "fullcalendar/themes/classic/palette.css";

const told = document.getElementById("told");
new Calendar(document.getElementById("calendar"), {
    plugins: [dayGrid, timeGrid, interaction, classic],
    initialDate: "2026-03-01",
    initialView: "dayGridMonth",
    headerToolbar: { left: "prev,next", center: "title", right: "dayGridMonth,timeGridWeek" },
    editable: true,
    events: [{ title: "Review", start: "2026-03-10" }, { title: "Release", start: "2026-03-12" }],
    dateClick: (e) => { told.textContent = `day ${e.dateStr}`; },
    eventClick: (e) => { told.textContent = `event ${e.event.title}`; },
    eventDrop: (e) => { told.textContent = `${e.event.title} is on ${e.event.startStr}`; },
}).render();
