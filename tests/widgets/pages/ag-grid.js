import { AllCommunityModule, createGrid, ModuleRegistry } from "ag-grid-community";

ModuleRegistry.registerModules([AllCommunityModule]);
const makes = ["Toyota", "Ford", "Porsche", "Fiat", "Volvo"];
createGrid(document.getElementById("grid"), {
    columnDefs: [
        { field: "make", filter: true },
        { field: "model" },
        { field: "price", editable: true, filter: "agNumberColumnFilter" },
    ],
    rowData: Array.from({ length: 200 }, (_, i) => ({ make: makes[i % 5], model: `M${i}`, price: 10000 + ((i * 7919) % 5000) })),
    rowSelection: { mode: "multiRow" },
    pagination: true,
    paginationPageSize: 20,
    onCellValueChanged: (e) => {
        document.getElementById("told").textContent = `${e.data.model} costs ${e.newValue}`;
    },
});
