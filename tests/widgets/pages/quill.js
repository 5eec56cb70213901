import "quill/dist/quill.snow.css";
import Quill from "quill";

const quill = new Quill("#editor", { theme: "snow", placeholder: "Write a comment" });
document.getElementById("post").onclick = () => {
    document.getElementById("posted").textContent = `Posted ${JSON.stringify(quill.getText())}`;
};
