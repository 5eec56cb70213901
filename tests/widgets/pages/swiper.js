import "swiper/css/bundle";
import Swiper from "swiper/bundle";

new Swiper(".swiper", { pagination: { el: ".swiper-pagination", clickable: true }, navigation: { nextEl: ".swiper-button-next", prevEl: ".swiper-button-prev" } });
