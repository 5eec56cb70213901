import "tabulator-tables/dist/css/tabulator.min.css";
import { TabulatorFull as Tabulator } from "tabulator-tables";

new Tabulator("#table", {
    height: 300,
    layout: "fitColumns",
    data: Array.from({ length: 60 }, (_, i) => ({ id: i, name: `Person ${i}`, age: 20 + ((i * 37) % 50), city: ["Oslo", "Rome", "Lima"][i % 3] })),
    columns: [
        { title: "Name", field: "name", headerFilter: "input" },
        { title: "Age", field: "age", editor: "number" },
        { title: "City", field: "city", editor: "list", editorParams: { values: ["Oslo", "Rome", "Lima"] } },
    ],
}).on("cellEdited", (cell) => {
    document.getElementById("told").textContent = `${cell.getData().name}: ${cell.getField()} is ${cell.getValue()}`;
});
