import Sortable from "sortablejs";

for (const id of ["todo", "done"]) new Sortable(document.getElementById(id), { group: "tasks", animation: 150 });
