import { createEmptyHistoryState, registerHistory } from "@lexical/history";
import { registerRichText } from "@lexical/rich-text";
import { $createParagraphNode, $createTextNode, $getRoot, createEditor } from "lexical";

const editor = createEditor({ namespace: "note", onError: (error) => { throw error; } });
editor.setRootElement(document.getElementById("editor"));
registerRichText(editor);
registerHistory(editor, createEmptyHistoryState(), 300);
editor.update(() => {
    $getRoot().append($createParagraphNode().append($createTextNode("Buy milk")));
});
document.getElementById("keep").onclick = () => {
    const text = editor.getEditorState().read(() => $getRoot().getTextContent());
    document.getElementById("kept").textContent = `Kept ${JSON.stringify(text)}`;
};
