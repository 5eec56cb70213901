import "leaflet/dist/leaflet.css";
import L from "leaflet";

const map = L.map("map").setView([51.5, -0.09], 13);
const icon = L.divIcon({ className: "pin", iconSize: [20, 20] });
L.marker([51.5, -0.09], { icon, title: "Office", alt: "Office" }).addTo(map).bindPopup("<b>Office</b><br>Open until six.");
L.marker([51.51, -0.1], { icon, title: "Depot", alt: "Depot" }).addTo(map).bindPopup("Depot");
L.control.layers({}, { Depots: L.layerGroup() }).addTo(map);
map.on("zoomend moveend", () => { document.getElementById("told").textContent = `zoom ${map.getZoom()}`; });
