import tinymce from "tinymce";
import "tinymce/icons/default";
import "tinymce/models/dom";
import "tinymce/themes/silver";
import "tinymce/skins/ui/oxide/skin.js";
import "tinymce/skins/ui/oxide/content.js";
import "tinymce/skins/content/default/content.js";
import "tinymce/plugins/lists";

tinymce.init({ selector: "#article", license_key: "gpl", promotion: false, branding: false, plugins: "lists", height: 300 });
document.getElementById("publish").onclick = () => {
    document.getElementById("published").textContent = `Published ${tinymce.activeEditor.getContent()}`;
};
