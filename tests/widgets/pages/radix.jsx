import { Checkbox, Dialog, DropdownMenu, Select, Slider, Switch, Tabs, Toast, Tooltip } from "radix-ui";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import "./radix.css";

function Page() {
    const [fruit, setFruit] = useState("apple");
    const [name, setName] = useState("Ada");
    const [told, setTold] = useState("");
    const [saved, setSaved] = useState(false);
    const [volume, setVolume] = useState([30]);
    return <Toast.Provider><Tooltip.Provider>
        <h1>Profile of {name}</h1>
        <Dialog.Root>
            <Dialog.Trigger>Edit profile</Dialog.Trigger>
            <Dialog.Portal>
                <Dialog.Overlay className="overlay" />
                <Dialog.Content className="dialog">
                    <Dialog.Title>Edit profile</Dialog.Title>
                    <Dialog.Description>Change your name here.</Dialog.Description>
                    <form onSubmit={(e) => { e.preventDefault(); setName(e.target.elements.name.value); setSaved(true); }}>
                        <label>Name <input name="name" defaultValue={name} /></label>
                        <button>Save changes</button>
                    </form>
                    <Dialog.Close>Close</Dialog.Close>
                </Dialog.Content>
            </Dialog.Portal>
        </Dialog.Root>
        <DropdownMenu.Root>
            <DropdownMenu.Trigger>Options</DropdownMenu.Trigger>
            <DropdownMenu.Portal><DropdownMenu.Content className="menu">
                <DropdownMenu.Item onSelect={() => setTold("copied")}>Copy</DropdownMenu.Item>
                <DropdownMenu.Sub>
                    <DropdownMenu.SubTrigger>Share</DropdownMenu.SubTrigger>
                    <DropdownMenu.Portal><DropdownMenu.SubContent className="menu">
                        <DropdownMenu.Item onSelect={() => setTold("mailed")}>By mail</DropdownMenu.Item>
                    </DropdownMenu.SubContent></DropdownMenu.Portal>
                </DropdownMenu.Sub>
                <DropdownMenu.CheckboxItem checked>Pinned</DropdownMenu.CheckboxItem>
            </DropdownMenu.Content></DropdownMenu.Portal>
        </DropdownMenu.Root>
        <Select.Root value={fruit} onValueChange={setFruit}>
            <Select.Trigger aria-label="Fruit"><Select.Value /></Select.Trigger>
            <Select.Portal><Select.Content className="menu"><Select.Viewport>
                {["apple", "banana", "cherry"].map((f) => <Select.Item key={f} value={f}><Select.ItemText>{f}</Select.ItemText></Select.Item>)}
            </Select.Viewport></Select.Content></Select.Portal>
        </Select.Root>
        <label><Checkbox.Root><Checkbox.Indicator>✓</Checkbox.Indicator></Checkbox.Root> Newsletter</label>
        <Switch.Root aria-label="Dark mode" className="switch"><Switch.Thumb className="thumb" /></Switch.Root>
        <Slider.Root className="slider" value={volume} onValueChange={setVolume}>
            <Slider.Track className="track"><Slider.Range /></Slider.Track><Slider.Thumb className="thumb" aria-label="Volume" />
        </Slider.Root>
        <Tabs.Root defaultValue="posts">
            <Tabs.List><Tabs.Trigger value="posts">Posts</Tabs.Trigger><Tabs.Trigger value="likes">Likes</Tabs.Trigger></Tabs.List>
            <Tabs.Content value="posts">Two posts</Tabs.Content><Tabs.Content value="likes">Five likes</Tabs.Content>
        </Tabs.Root>
        <Toast.Root open={saved} onOpenChange={setSaved} duration={2000}><Toast.Title>Profile saved</Toast.Title></Toast.Root>
        <Toast.Viewport />
        <output>{told}</output>
    </Tooltip.Provider></Toast.Provider>;
}
createRoot(document.getElementById("root")).render(<Page />);
