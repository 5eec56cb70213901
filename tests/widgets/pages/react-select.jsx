import { useState } from "react";
import { createRoot } from "react-dom/client";
import Select from "react-select";

const options = ["Red", "Green", "Blue", "Black"].map((label) => ({ label, value: label.toLowerCase() }));

function Paint() {
    const [one, setOne] = useState(options[0]);
    const [many, setMany] = useState([]);
    return <>
        <label htmlFor="colour">Colour</label>
        <Select inputId="colour" options={options} value={one} onChange={setOne} />
        <label htmlFor="others">Others</label>
        <Select inputId="others" isMulti options={options} value={many} onChange={setMany} />
        <output>{`${one?.value} with ${many.map((o) => o.value).join(", ") || "nothing"}`}</output>
    </>;
}
createRoot(document.getElementById("root")).render(<Paint />);
