import { Alert, Autocomplete, Button, Checkbox, Dialog, DialogActions, DialogTitle, FormControl, FormControlLabel, InputLabel, Menu, MenuItem, Select, Slider, Snackbar, TextField } from "@mui/material";
import { AdapterDayjs } from "@mui/x-date-pickers/AdapterDayjs";
import { DesktopDatePicker } from "@mui/x-date-pickers/DesktopDatePicker";
import { LocalizationProvider } from "@mui/x-date-pickers/LocalizationProvider";
import dayjs from "dayjs";
import { useState } from "react";
import { createRoot } from "react-dom/client";

function Page() {
    const [city, setCity] = useState("Oslo");
    const [film, setFilm] = useState(null);
    const [open, setOpen] = useState(false);
    const [anchor, setAnchor] = useState(null);
    const [date, setDate] = useState(dayjs("2026-03-10"));
    const [told, setTold] = useState("");
    return <LocalizationProvider dateAdapter={AdapterDayjs}>
        <h1>Trip</h1>
        <TextField label="Traveller" defaultValue="Ada" onBlur={(e) => setTold(`traveller ${e.target.value}`)} />
        <FormControl sx={{ width: 200 }}><InputLabel id="city">City</InputLabel>
            <Select labelId="city" label="City" value={city} onChange={(e) => setCity(e.target.value)}>
                {["Oslo", "Rome", "Lima"].map((c) => <MenuItem key={c} value={c}>{c}</MenuItem>)}
            </Select></FormControl>
        <Autocomplete sx={{ width: 300 }} options={["Alien", "Amadeus", "Brazil"]} value={film} onChange={(_, v) => setFilm(v)} renderInput={(p) => <TextField {...p} label="Film" />} />
        <DesktopDatePicker label="Departure" value={date} onChange={setDate} />
        <FormControlLabel control={<Checkbox />} label="Insurance" />
        <Slider aria-label="Budget" defaultValue={30} sx={{ width: 200 }} />
        <Button onClick={(e) => setAnchor(e.currentTarget)}>Menu</Button>
        <Menu anchorEl={anchor} open={!!anchor} onClose={() => setAnchor(null)}>
            <MenuItem onClick={() => { setAnchor(null); setTold("printed"); }}>Print</MenuItem>
            <MenuItem onClick={() => setAnchor(null)}>Share</MenuItem>
        </Menu>
        <Button onClick={() => setOpen(true)}>Book</Button>
        <Dialog open={open} onClose={() => setOpen(false)}><DialogTitle>Book the trip to {city}?</DialogTitle>
            <DialogActions><Button onClick={() => setOpen(false)}>No</Button><Button onClick={() => { setOpen(false); setTold("booked"); }}>Yes</Button></DialogActions></Dialog>
        <Snackbar open={told === "booked"} autoHideDuration={3000} onClose={() => setTold("")}><Alert>Trip booked</Alert></Snackbar>
        <output>{`${city}, ${film ?? "no film"}, ${date?.format("YYYY-MM-DD")}, ${told}`}</output>
    </LocalizationProvider>;
}
createRoot(document.getElementById("root")).render(<Page />);
