//! The script sandbox of `browser.evaluate`: what it keeps out of reach, by any spelling, and what it leaves alone.

use serde_json::{Value, json};

use crate::support::{Answer, Reply, Server, Site, not_defined, tells};

/// A page that uses by itself all that scripts may not, and shows that it still can.
const PAGE: &str = "<!doctype html><title>Shop</title><body><h1 id=h>Example</h1><p class=x>One</p><p class=x>Two</p>
 <form id=f action=/sent><input name=user value=old><input name=action value=clobber></form><a id=a href=/more>More</a><a id=js href='javascript:void(0)'>Js</a>
 <iframe id=frame name=inner src=/inner></iframe><iframe id=blank></iframe><object id=obj data=/inner></object>
 <script id=block type=application/json>{\"a\":1}</script><template id=t><b>in template</b></template>
 <svg id=svg><a id=sa href=/svg><text>t</text></a></svg><div id=host></div><select id=sel><option>1</select>
 <button id=own>Own</button><output id=out></output>
 <script>document.cookie = 'secret=C00KIE'; localStorage.setItem('k', 'L0CAL'); sessionStorage.setItem('k', 'SESSI0N');
 window.pageVariable = 'mine';
 window.ran = []; window.hit = what => { document.documentElement.dataset.hit = what };
 document.getElementById('own').onclick = () => { document.getElementById('out').textContent =
   [eval('1+1'), new Function('return 2')(), document.cookie.includes('C00KIE'), localStorage.getItem('k'),
    sessionStorage.getItem('k'), Function.prototype.constructor === Function, typeof Array.prototype.push].join() };</script>";

fn open(flags: &[&str]) -> (Server, Site) {
    let mut server = Server::start(&[&["--dialect", "vision"], flags].concat());
    let site = Site::of(PAGE);
    site.answer(
        "/inner",
        Answer::Html("<title>Inner</title><script>parent.inner = this</script><p>inner".into()),
    );
    site.answer("/more", Answer::Html("<title>More</title>".into()));
    site.answer("/data", Answer::Html("{\"n\": 7}".into()));
    server.call("browser.navigate", json!({ "url": site.url("/") })).ok();
    (server, site)
}

fn run(server: &mut Server, script: &str) -> Reply {
    server.call("browser.evaluate", json!({ "script": script }))
}

/// Ways to what is blocked. Each would return or leave behind a secret, or run `hit(…)` in the page.
const ATTACKS: &[&str] = &[
    // By name, and by names that are put together.
    "return eval('1+1')",
    "return (0, eval)('document.cookie')",
    "return window['ev' + 'al']('document.cookie')",
    "return globalThis['ev' + 'al']('document.cookie')",
    "return Reflect.get(window, 'ev' + 'al')('document.cookie')",
    "return self.frames.top.parent['eval']('document.cookie')",
    "return new Function('return document.cookie')()",
    "return window['Func' + 'tion']('return document.cookie')()",
    "return Object.getOwnPropertyDescriptor(window, 'eval').value('document.cookie')",
    "return document.cookie",
    "return document['coo' + 'kie']",
    "document.cookie = 'a=b'; return 'C00KIE'",
    "return localStorage.getItem('k')",
    "return window['local' + 'Storage'].k",
    "return sessionStorage.k",
    "return this.localStorage.k",
    "return (function () { return this })().localStorage.k",
    "return (function () { return this }).call(null).localStorage.k",
    "return (await cookieStore.getAll()).map(c => c.value).join()",
    "return (await window['cookie' + 'Store'].get('secret')).value",
    "return await new Promise((y, n) => { const r = indexedDB.open('x'); r.onsuccess = () => y('C00KIE') })",
    "return (await caches.keys(), 'C00KIE')",
    "return (await navigator.storage.getDirectory(), 'C00KIE')",
    // Constructors of functions of every kind.
    "return (() => 0).constructor('return document.cookie')()",
    "return (function () {}).constructor.constructor('return document.cookie')()",
    "return await (async () => 0).constructor('return document.cookie')()",
    "return (function* () {}).constructor('return document.cookie')().next().value",
    "return (await (async function* () {}).constructor('return document.cookie')().next()).value",
    "return [].map.constructor('return document.cookie')()",
    "return document.querySelector.constructor('return document.cookie')()",
    "return Object.getPrototypeOf(async () => 0).constructor('return document.cookie')()",
    "return Object.getPrototypeOf(document.querySelector).constructor('return document.cookie')()",
    "return HTMLElement.constructor('return document.cookie')()",
    "return Reflect.construct((() => 0).constructor, ['return document.cookie'])()",
    "return document.constructor.constructor('return document.cookie')()",
    "return (class extends Function {}, 'x')[Symbol.iterator].constructor('return document.cookie')()",
    "class F extends Function { constructor(s) { super(s) } } return new F('return document.cookie')()",
    "class F extends (async () => 0).constructor {} return await new F('return document.cookie')()",
    "return Function.prototype.constructor.apply(null, ['return document.cookie'])()",
    "return JSON.parse.constructor.bind(null, 'return document.cookie')()()",
    // Reflection.
    "return Object.getOwnPropertyDescriptor(Document.prototype, 'cookie').get.call(document)",
    "return Reflect.getOwnPropertyDescriptor(Document.prototype, 'coo' + 'kie').get.call(document)",
    "return Object.getOwnPropertyDescriptors(Document.prototype).cookie.get.call(document)",
    "return document.__lookupGetter__('cookie').call(document)",
    "return Document.prototype.__lookupGetter__('cookie').call(document)",
    "return document.__proto__.__proto__.__lookupGetter__('cookie').call(document)",
    "return Object.getPrototypeOf(Object.getPrototypeOf(document)).cookie",
    "return Reflect.get(Document.prototype, 'cookie', document)",
    "return Object.create(document).cookie",
    "const { cookie } = document; return cookie",
    "return Object.assign({}, document).cookie || document.cookie",
    "with_(document); function with_(d) { throw new Error(d.cookie) }",
    "return Object.getOwnPropertyDescriptor(Window.prototype, 'localStorage').get.call(window).k",
    "return window.__lookupGetter__('localStorage').call(window).k",
    "return Storage.prototype.getItem.call(localStorage, 'k')",
    "return document.defaultView.localStorage.k",
    "return new MouseEvent('x', { view: window }).view.localStorage.k",
    "return document.body.ownerDocument.defaultView['ev' + 'al']('document.cookie')",
    "return window.wrappedJSObject.document.cookie",
    "return document.wrappedJSObject.cookie",
    "return document.querySelector('h1').wrappedJSObject.ownerDocument.cookie",
    "return XPCNativeWrapper.unwrap(window).document.cookie",
    "try { document.querySelector('!!') } catch (e) { return e.wrappedJSObject.constructor.constructor('return document.cookie')() }",
    "try { document.querySelector('!!') } catch (e) { return e.constructor.constructor('return document.cookie')() }",
    "try { null.x } catch (e) { return e.constructor.constructor('return document.cookie')() }",
    // The functions that the sandbox is made of, changed from inside.
    "let leak; WeakMap.prototype.get = function (k) { leak = k }; document.title; return leak.cookie",
    "let leak; Reflect.apply = (f, t) => { leak = t }; document.title; return leak.cookie",
    "let leak; Array.from = a => { leak = a }; document.querySelectorAll('p').length; return leak[0].ownerDocument.cookie",
    "let leak; Object.defineProperty(Object.prototype, 'method', { get() { leak = this } }); document.title; return leak.cookie",
    "let leak; Array.prototype.map = function () { leak = this; return [] }; document.body.append(document.body); return leak[0].ownerDocument.cookie",
    "Error.prepareStackTrace = (e, s) => s; return new Error().stack.map(f => f.getThis()).find(x => x && x.document).document.cookie",
    "Function.prototype.call = function () { return arguments }; document.title; return document.cookie",
    "Promise.prototype.then = function (f) { f(this) }; return document.cookie",
    "let leak; Object.prototype.__proto__ = new Proxy({}, { get(t, k, r) { leak = r } }); document.nothing; return leak.cookie",
    "return ciceroneSandbox.run(function () { return () => document.cookie }, [])",
    "return cicerone.call('storageRead', '{\"kind\":\"local\"}')",
    // What is called back.
    "return await new Promise(y => setTimeout(function () { y(this.localStorage.k) }, 0))",
    "return await new Promise(y => { document.body.addEventListener('x', function (e) { y(e.currentTarget.ownerDocument.cookie) }); document.body.dispatchEvent(new Event('x')) })",
    "return await new Promise(y => { document.body.addEventListener('x', { handleEvent(e) { y(e.target.ownerDocument.cookie) } }); document.body.dispatchEvent(new Event('x')) })",
    "const d = new Uint8Array(1); return await new Promise(y => { d.handleEvent = e => y(e.target.ownerDocument.cookie); document.body.addEventListener('x', d); document.body.dispatchEvent(new Event('x')) })",
    "let c; document.createTreeWalker(document, 1, { acceptNode(n) { c = n.ownerDocument.cookie; return 1 } }).nextNode(); return c",
    "return await new Promise(y => { new MutationObserver(r => y(r[0].target.ownerDocument.cookie)).observe(document.body, { attributes: true }); document.body.id = 'q' })",
    "let c; document.querySelectorAll('p').forEach(function (p) { c = this.cookie || p.ownerDocument.cookie }, document); return c",
    "return [...document.querySelectorAll('p').entries()][0][1].ownerDocument.cookie",
    "return document.querySelectorAll('p')[Symbol.iterator]().next().value.ownerDocument.cookie",
    "let c; JSON.stringify({ toJSON() { c = document.cookie } }); return c",
    // Other windows and documents.
    "return document.getElementById('frame').contentWindow.eval('document.cookie')",
    "return document.getElementById('frame').contentDocument.cookie",
    "return document.getElementById('blank').contentWindow.localStorage.k",
    "return document.getElementById('obj').contentDocument.cookie",
    "return document.getElementById('obj').getSVGDocument().cookie",
    "return window[0].document.cookie",
    "return frames[0].localStorage.k",
    "return window.inner.document.cookie",
    "return document.inner.document.cookie",
    "return inner.document.cookie",
    "const f = document.createElement('iframe'); document.body.append(f); return f.contentWindow.eval('document.cookie')",
    "const f = document.getElementById('blank').cloneNode(); document.body.append(f); return f.contentWindow.eval('document.cookie')",
    "return window.open('about:blank').eval('document.cookie')",
    "return window.frameElement.ownerDocument.cookie",
    "return document.implementation.createHTMLDocument('').cookie + 'C00KIE'",
    "return new DOMParser().parseFromString('<p>', 'text/html').defaultView.localStorage.k",
    "return (await documentPictureInPicture.requestWindow()).eval('document.cookie')",
    // Code that the page would run.
    "const s = document.createElement('script'); s.textContent = \"hit('script')\"; document.body.append(s)",
    "const s = document.createElementNS('http://www.w3.org/1999/xhtml', 'script'); s.textContent = \"hit('script')\"; document.body.append(s)",
    "const s = document.createElementNS('http://www.w3.org/2000/svg', 'svg:script'); s.textContent = \"hit('script')\"; document.body.append(s)",
    "const n = { n: 0, toString() { return this.n++ ? 'script' : 'div' } }; const s = document.createElement(n); s.textContent = \"hit('script')\"; document.body.append(s)",
    "const s = document.getElementById('block'); s.type = ''; s.textContent = \"hit('block')\"; document.body.append(s)",
    "const s = document.getElementById('block').cloneNode(true); s.removeAttribute('type'); s.firstChild.data = \"hit('block')\"; document.body.append(s)",
    "const s = document.getElementById('block'); s.firstChild.replaceWith(\"hit('block')\")",
    "document.getElementById('block').attributes[1].value = 'text/javascript'",
    "const s = document.getElementById('block'); s.attributes.removeNamedItem('type'); return 'changed'",
    "const s = document.getElementById('block'); s.attributes.removeNamedItemNS(null, 'type'); return 'changed'",
    "getSelection().selectAllChildren(document.getElementById('block')); getSelection().deleteFromDocument(); return 'changed'",
    "document.body.contentEditable = 'true'; try { getSelection().selectAllChildren(document.getElementById('block')); \
     document.execCommand('insertText', false, \"hit('block')\"); return 'changed' } finally { document.body.contentEditable = 'inherit' }",
    "document.body.append(document.getElementById('block')); return 'moved'",
    "document.querySelector('p').after(document.getElementById('block')); return 'moved'",
    "document.body.innerHTML += `<img src=x onerror=\"hit('img')\">`; await new Promise(y => setTimeout(y, 100))",
    "document.getElementById('host').outerHTML = `<svg onload=\"hit('svg')\">`; await new Promise(y => setTimeout(y, 100))",
    "document.body.insertAdjacentHTML('beforeend', `<details open ontoggle=\"hit('x')\">`); await new Promise(y => setTimeout(y, 100))",
    "document.body.insertAdjacentHTML('beforeend', `<iframe srcdoc=\"<script>parent.hit('x')</script>\">`); await new Promise(y => setTimeout(y, 200))",
    "document.getElementById('frame').srcdoc = `<script>parent.hit('x')</script>`; await new Promise(y => setTimeout(y, 200))",
    "document.getElementById('frame').setAttribute('srcdoc', `<script>parent.hit('x')</script>`); await new Promise(y => setTimeout(y, 200))",
    "document.getElementById('frame').src = \"javascript:parent.hit('x')\"; await new Promise(y => setTimeout(y, 200))",
    "document.getElementById('obj').data = \"javascript:parent.hit('x')\"; await new Promise(y => setTimeout(y, 200))",
    "document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = `<img src=x onerror=\"hit('img')\">`; await new Promise(y => setTimeout(y, 100))",
    "document.getElementById('t').innerHTML = `<img src=x onerror=\"hit('img')\">`; document.body.append(document.getElementById('t').content); await new Promise(y => setTimeout(y, 100))",
    "document.body.setHTMLUnsafe(`<img src=x onerror=\"hit('img')\">`); await new Promise(y => setTimeout(y, 100))",
    "document.body.append(document.createRange().createContextualFragment(`<script>hit('x')</script>`))",
    "document.body.append(new DOMParser().parseFromString(`<img src=x onerror=\"hit('img')\">`, 'text/html').body.firstChild); await new Promise(y => setTimeout(y, 100))",
    "const d = new DOMParser().parseFromString(`<template><img src=x onerror=\"hit('img')\"></template>`, 'text/html'); document.body.append(d.querySelector('template').content); await new Promise(y => setTimeout(y, 100))",
    "const d = new DOMParser().parseFromString(`<option onfocus=1><div><img src=x onerror=\"hit('img')\">`, 'text/html'); document.getElementById('sel').add(d.querySelector('option'))",
    "document.body.append(document.importNode(new DOMParser().parseFromString(`<img src=x onerror=\"hit('img')\">`, 'text/html').body.firstChild, true)); await new Promise(y => setTimeout(y, 100))",
    "document.body.append(document.adoptNode(new DOMParser().parseFromString(`<x:script xmlns:x='http://www.w3.org/1999/xhtml'>hit('x')</x:script>`, 'text/xml').documentElement)); await new Promise(y => setTimeout(y, 100))",
    "Document.parseHTMLUnsafe(`<img src=x onerror=\"hit('img')\">`).body.firstChild",
    "document.write(`<script>hit('x')</script>`)",
    "document.writeln(`<script>hit('x')</script>`)",
    "document.open().write(`<script>hit('x')</script>`)",
    "document.execCommand('insertHTML', false, `<img src=x onerror=\"hit('img')\">`)",
    "const b = document.getElementById('own'); b.setAttribute('onmouseup', \"hit('x')\"); b.dispatchEvent(new Event('mouseup'))",
    "const b = document.getElementById('own'); b.setAttribute('ONMOUSEUP', \"hit('x')\"); b.dispatchEvent(new Event('mouseup'))",
    "const b = document.getElementById('own'); b.setAttributeNS(null, 'onmouseup', \"hit('x')\"); b.dispatchEvent(new Event('mouseup'))",
    "const b = document.getElementById('own'); const n = { n: 0, toString() { return this.n++ ? 'onmouseup' : 'title' } }; b.setAttribute(n, \"hit('x')\"); b.dispatchEvent(new Event('mouseup'))",
    "const b = document.getElementById('own'); Element.prototype.setAttribute.call(b, 'onmouseup', \"hit('x')\"); b.dispatchEvent(new Event('mouseup'))",
    "const b = document.getElementById('own'); b.attributes.setNamedItem(document.createAttribute('onmouseup'))",
    "const b = document.getElementById('own'); b.setAttributeNode(document.createAttribute('onmouseup'))",
    "document.getElementById('a').href = \"javascript:hit('x')\"; document.getElementById('a').click(); await new Promise(y => setTimeout(y, 100))",
    "document.getElementById('a').href = \" \\tjava\\nscript:hit('x')\"; document.getElementById('a').click(); await new Promise(y => setTimeout(y, 100))",
    "document.getElementById('a').setAttribute('href', \"JAVASCRIPT:hit('x')\"); document.getElementById('a').click(); await new Promise(y => setTimeout(y, 100))",
    "const a = document.getElementById('a'); a.href = \"mailto:hit('x')\"; a.protocol = 'javascript'; a.click(); await new Promise(y => setTimeout(y, 100))",
    "const a = document.getElementById('js'); a.search = \"0:hit('x')\"; a.click(); await new Promise(y => setTimeout(y, 100))",
    "const a = document.getElementById('js'); a.hash = \"hit('x')\"; return a.href",
    "document.getElementById('sa').href.baseVal = \"javascript:hit('x')\"; document.getElementById('sa').dispatchEvent(new MouseEvent('click', { bubbles: true })); await new Promise(y => setTimeout(y, 100))",
    "document.getElementById('sa').setAttributeNS('http://www.w3.org/1999/xlink', 'xlink:href', \"javascript:hit('x')\")",
    "document.getElementById('f').setAttribute('action', \"javascript:hit('x')\"); document.getElementById('f').submit(); await new Promise(y => setTimeout(y, 100))",
    "Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, 'action').set.call(document.getElementById('f'), \"javascript:hit('x')\"); HTMLFormElement.prototype.submit.call(document.getElementById('f')); await new Promise(y => setTimeout(y, 100))",
    "document.getElementById('own').formAction = \"javascript:hit('x')\"",
    "location = \"javascript:hit('x')\"; await new Promise(y => setTimeout(y, 100))",
    "location.href = \"javascript:hit('x')\"; await new Promise(y => setTimeout(y, 100))",
    "window.location.assign(\"javascript:hit('x')\"); await new Promise(y => setTimeout(y, 100))",
    "document.location = \"javascript:hit('x')\"; await new Promise(y => setTimeout(y, 100))",
    "document.location.replace(\"javascript:hit('x')\"); await new Promise(y => setTimeout(y, 100))",
    "location.protocol = 'javascript'",
    "location = URL.createObjectURL(new Blob([`<script>hit('x')</script>`], { type: 'text/html' }))",
    "navigation.navigate(\"javascript:hit('x')\")",
    "const b = document.createElement('base'); b.href = 'data:,'; document.head.append(b)",
    "document.body.innerHTML = `<svg><a id=z><animate attributeName=href values=\"javascript:hit('x')\" /><text y=9>z</text></a></svg>`",
    "document.body.innerHTML = `<meta http-equiv=refresh content=\"0;url=javascript:hit('x')\">`",
    "setTimeout(\"hit('x')\", 0); await new Promise(y => setTimeout(y, 100))",
    "setTimeout({ toString: () => \"hit('x')\" }, 0); await new Promise(y => setTimeout(y, 100))",
    "setInterval(['hit(1)'], 1); await new Promise(y => setTimeout(y, 100))",
    "await import('data:text/javascript,document.documentElement.dataset.hit=1')",
    "await import /* x */ (URL.createObjectURL(new Blob([`document.documentElement.dataset.hit=1`], { type: 'text/javascript' })))",
    "await im\\u0070ort('data:text/javascript,document.documentElement.dataset.hit=1')",
    "return import.meta.url + 'C00KIE'",
    "new Worker(URL.createObjectURL(new Blob(['1']))); return 'C00KIE'",
    "new SharedWorker('data:text/javascript,1'); return 'C00KIE'",
    "await navigator.serviceWorker.register('/sw.js'); return 'C00KIE'",
    "await CSS.paintWorklet.addModule('data:text/javascript,1'); return 'C00KIE'",
    "new WebAssembly.Module(new Uint8Array([0,97,115,109,1,0,0,0])); return 'C00KIE'",
    "new XSLTProcessor(); return 'C00KIE'",
    "customElements.define('x-y', class extends HTMLElement {}); return 'C00KIE'",
    "new ShadowRealm().evaluate('1'); return 'C00KIE'",
    "chrome.runtime; return 'C00KIE'",
    "window.onload = \"hit('x')\"; document.body.onclick = \"hit('x')\"; document.body.click(); throw 1",
    // Out of the function that the script is put into.
    "} } document.documentElement.dataset.hit = 1; { {",
    "}; return async function () { document.documentElement.dataset.hit = document.cookie }; async function x() { {",
    "return 1 }}},[]); document.documentElement.dataset.hit = 1; (function(){with({})return async function(){x:{",
    "return 1 }}},[]); document.documentElement.dataset.hit = 1; /*",
    "return 1 }}},[]); document.documentElement.dataset.hit = 1; //",
    "return 1 }}},[]); document.documentElement.dataset.hit = 1; `",
    "arguments.callee.caller.constructor('hit(1)')()",
    "return (function f() { return f.caller })().constructor('return document.cookie')()",
];

const SECRETS: [&str; 3] = ["C00KIE", "L0CAL", "SESSI0N"];

#[test]
fn what_is_blocked_is_out_of_reach_by_any_spelling() {
    let (mut server, site) = open(&[]);
    let home = site.url("/");
    let mut escaped = Vec::new();
    for attack in ATTACKS {
        let reply = run(&mut server, attack);
        let said = reply.text();
        let hit = run(&mut server, "return document.documentElement.dataset.hit ?? 'none'");
        let hit = hit.text().lines().next().unwrap_or_default().to_owned();
        let leaked = SECRETS.iter().any(|secret| said.contains(secret) && !attack.contains(secret));
        let did = !reply.failed() && !said.starts_with("undefined");
        if leaked || did || hit != "none" {
            escaped.push(format!("{attack}\n    → {} ({})", reply.text(), hit));
        }
        if attack.contains("body.inner") || attack.contains("dataset.hit") || hit != "none" {
            server.call("browser.navigate", json!({ "url": home })).ok();
        }
    }
    assert!(escaped.is_empty(), "{} of {} escaped:\n{}", escaped.len(), ATTACKS.len(), escaped.join("\n"));
}

/// Scripts that do no harm, with what they return.
fn harmless() -> Vec<(&'static str, Value)> {
    vec![
        ("return document.title", json!("Shop")),
        (
            "return 'eval( Function( document.cookie localStorage sessionStorage import( '",
            json!("eval( Function( document.cookie localStorage sessionStorage import( "),
        ),
        (
            "const o = { eval: 1, cookie: 2, localStorage: 3, import: 4 }; return o.eval + o.cookie + o.localStorage + o.import",
            json!(10),
        ),
        (
            "// eval( document.cookie\n/* import('x') */ return /import\\(/.test('import(') && `import ${1}`",
            json!("import 1"),
        ),
        ("const evaluate = x => x * 2; const Functional = 1; return evaluate(4) + Functional", json!(9)),
        ("return [...document.querySelectorAll('p.x')].map(p => p.textContent)", json!(["One", "Two"])),
        ("return Array.from(document.querySelectorAll('p'), p => p.className)", json!(["x", "x"])),
        ("return document.querySelector('h1').getBoundingClientRect().width > 0", json!(true)),
        (
            "return Object.keys(document.querySelector('h1').getBoundingClientRect().toJSON()).length",
            json!(8),
        ),
        (
            "const h = document.querySelector('h1'); h.style.color = 'red'; return getComputedStyle(h).color",
            json!("rgb(255, 0, 0)"),
        ),
        (
            "const h = document.getElementById('h'); h.dataset.x = '1'; h.classList.add('k'); h.id = 'hh'; return [h.dataset.x, h.className, document.querySelector('#hh').tagName]",
            json!(["1", "k", "H1"]),
        ),
        (
            "const i = document.querySelector('input'); Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(i, 'new'); i.dispatchEvent(new Event('input', { bubbles: true })); return i.value",
            json!("new"),
        ),
        (
            "const d = document.createElement('div'); d.innerHTML = '<b title=t>x</b><a href=/more>y</a>'; document.body.appendChild(d); return d.outerHTML",
            json!("<div><b title=\"t\">x</b><a href=\"/more\">y</a></div>"),
        ),
        (
            "const d = document.createElement('table'); d.innerHTML = '<tr><td>1</td></tr>'; return d.rows[0].cells[0].textContent",
            json!("1"),
        ),
        (
            "document.querySelector('p').insertAdjacentHTML('afterend', '<i>n</i>'); return document.querySelector('p').nextElementSibling.outerHTML",
            json!("<i>n</i>"),
        ),
        (
            "let n = 0; const b = document.getElementById('own'); const f = () => n++; b.addEventListener('click', f); b.click(); b.removeEventListener('click', f); b.click(); return n",
            json!(1),
        ),
        (
            "let t; const b = document.getElementById('own'); b.onclick = function (e) { t = [this === b, e.target === b, e.isTrusted] }; b.click(); return t",
            json!([true, true, false]),
        ),
        ("await new Promise(y => setTimeout(y, 20)); return 'waited'", json!("waited")),
        (
            "return await new Promise(y => { new MutationObserver(r => y(r.length)).observe(document.body, { attributes: true }); document.body.id = 'q' })",
            json!(1),
        ),
        ("return await new Promise(y => requestAnimationFrame(t => y(typeof t)))", json!("number")),
        ("return (await (await fetch('/data')).json()).n", json!(7)),
        ("return (await fetch('/data').then(r => r.text())).length", json!(8)),
        (
            "return await new Promise(y => { const x = new XMLHttpRequest(); x.open('GET', '/data'); x.onload = () => y(x.status + x.responseText); x.send() })",
            json!("200{\"n\": 7}"),
        ),
        (
            "const d = new DOMParser().parseFromString('<p>a<script>1</script><p>b', 'text/html'); return [...d.querySelectorAll('p')].map(p => p.firstChild.data)",
            json!(["a", "b"]),
        ),
        (
            "return document.evaluate('//p[2]', document, null, XPathResult.FIRST_ORDERED_NODE_TYPE, null).singleNodeValue.textContent",
            json!("Two"),
        ),
        (
            "const w = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT, n => n.tagName === 'P' ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP); let n = 0; while (w.nextNode()) n++; return n",
            json!(2),
        ),
        (
            "return document.querySelector('h1') instanceof HTMLElement && document instanceof Node && (() => 0) instanceof Function && !(document.body instanceof HTMLInputElement)",
            json!(true),
        ),
        ("return document.querySelector('h1').constructor.name", json!("HTMLHeadingElement")),
        (
            "return Object.prototype.toString.call(document.querySelector('h1'))",
            json!("[object HTMLHeadingElement]"),
        ),
        ("return new URL('/x?a=1', location.href).searchParams.get('a') + location.pathname", json!("1/")),
        (
            "return window === self && window.window === globalThis && document.defaultView === window && parent === window",
            json!(true),
        ),
        ("return typeof nothing + typeof window.nothing", json!("undefinedundefined")),
        ("window.kept = 5; return kept + window.kept", json!(10)),
        ("return kept", json!(5)),
        (
            "class MyError extends Error { constructor(m) { super(m); this.name = 'MyError' } } try { throw new MyError('m') } catch (e) { return String(e) }",
            json!("MyError: m"),
        ),
        ("const o = {}; o.toString = () => 'own'; o.constructor = 1; return `${o}`", json!("own")),
        (
            "return document.forms[0].elements.user.value === document.querySelector('[name=user]').value",
            json!(true),
        ),
        ("return new FormData(document.querySelector('form')).get('action')", json!("clobber")),
        ("return [...new FormData(document.querySelector('form')).keys()]", json!(["user", "action"])),
        ("return document.querySelector('script[type]').textContent", json!("{\"a\":1}")),
        ("return JSON.parse(document.getElementById('block').textContent).a", json!(1)),
        ("return [NaN, Infinity, undefined, null]", json!([null, null, null, null])),
        ("return NaN", json!("NaN")),
        ("return 12345678901234567890n", json!("12345678901234567890")),
        ("return new Map([['a', new Set([1])]])", json!({ "a": [1] })),
        ("return document.querySelector('p')", json!("<p class=\"x\"></p>")),
        ("return document.querySelectorAll('p')", json!(["<p class=\"x\"></p>", "<p class=\"x\"></p>"])),
        ("return new Date(0)", json!("1970-01-01T00:00:00.000Z")),
        ("return null", json!(null)),
        ("return { a: [1, { b: 'c' }] }", json!({ "a": [1, { "b": "c" }] })),
        (
            "return innerWidth > 0 && screen.width > 0 && navigator.userAgent.length > 10 && performance.now() > 0",
            json!(true),
        ),
        ("console.log('hello', document.body, new Error('x')); return CSS.escape('1')", json!("\\31 ")),
        ("scrollTo(0, 0); return matchMedia('(min-width: 1px)').matches", json!(true)),
        (
            "const { dataset } = document.getElementById('sel'); dataset.one = 'x'; dataset.onclick = 'y'; return dataset.one + dataset.onclick",
            json!("xy"),
        ),
        (
            "const a = document.getElementById('a'); a.search = 'q'; a.hash = 'h'; return a.getAttribute('href').split('/').pop()",
            json!("more?q#h"),
        ),
        ("const e = new CustomEvent('x', { detail: { a: 1 } }); return e.detail.a", json!(1)),
        (
            "const s = document.getElementById('host').attachShadow({ mode: 'open' }); s.innerHTML = '<i>s</i>'; return s.host.shadowRoot.querySelector('i').textContent",
            json!("s"),
        ),
        (
            "const c = document.getElementById('t').content.cloneNode(true); document.body.append(c); return document.body.lastElementChild.outerHTML",
            json!("<b>in template</b>"),
        ),
        ("return btoa('x') + crypto.randomUUID().length", json!("eA==36")),
        ("var i = 0; for (const k of Object.keys(document.body.dataset)) i++; return i", json!(0)),
        ("return String(document.body) + window", json!("[object HTMLBodyElement][object Window]")),
    ]
}

#[test]
fn harmless_scripts_run() {
    let (mut server, _site) = open(&[]);
    let mut wrong = Vec::new();
    for (script, expected) in harmless() {
        let reply = run(&mut server, script);
        let text = match &expected {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        if reply.failed() || reply.text() != text {
            wrong.push(format!("{script}\n    → {}\n    ≠ {text}", reply.text()));
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_page_goes_on_using_all_of_it() {
    let (mut server, _site) = open(&[]);
    run(&mut server, "return document.title").ok();
    run(&mut server, "return document.cookie");
    server.call("browser.click", json!({ "selector": "#own" })).ok();
    tells(
        &run(&mut server, "return document.getElementById('out').textContent"),
        "2,2,true,L0CAL,SESSI0N,true,function",
    );
    // The variables of neither are seen by the other.
    run(&mut server, "return pageVariable").fails(&not_defined("pageVariable"));
}

#[test]
fn arguments_reach_the_script_and_come_back() {
    let (mut server, _site) = open(&[]);
    let call = |server: &mut Server, arguments: Value| server.call("browser.evaluate", arguments);
    let reply =
        call(&mut server, json!({ "script": "return args[0] + arguments[1].n", "args": [1, { "n": 2 }] }));
    tells(&reply, "3");
    assert_eq!(reply.facts()["result"], 3);
    let odd = json!(["</script>", "\u{2028}", "`${1}", "\\", "__proto__", { "__proto__": 1 }]);
    let reply = call(&mut server, json!({ "script": "return args.slice(0, 5)", "args": odd }));
    assert_eq!(reply.facts()["result"], json!(["</script>", "\u{2028}", "`${1}", "\\", "__proto__"]));
    tells(&call(&mut server, json!({ "script": "const args = 1; return args" })), "1");
    tells(&call(&mut server, json!({ "script": "return args.length + arguments.length" })), "0");
    call(&mut server, json!({})).refused(-32602, "Missing required argument: script");
    call(&mut server, json!({ "script": 5 })).refused(-32602, "script");
    call(&mut server, json!({ "script": "return 1", "args": {} })).refused(-32602, "args");
    call(&mut server, json!({ "script": "return 1", "args": "x" })).refused(-32602, "args");
    call(&mut server, json!({ "script": "return 1", "sessionId": "" })).refused(-32602, "sessionId");
    call(&mut server, json!({ "script": "" })).says("undefined");
    call(&mut server, json!({ "script": "document.title" })).says("use `return`");
}

#[test]
fn a_syntax_error_says_its_line() {
    let (mut server, _site) = open(&[]);
    run(&mut server, "const a = 1;\nreturn a +;").fails("SyntaxError").fails("(line 2)");
}

#[test]
fn errors_say_what_and_in_which_line() {
    let (mut server, _site) = open(&["--action-timeout", "1s"]);
    let name = |reply: &Reply| reply.facts()["error"]["name"].as_str().unwrap_or_default().to_owned();
    let reply = run(&mut server, "const a = 1;\nnull.x;\nreturn a");
    reply.fails("TypeError").fails("(line 2)");
    assert_eq!(name(&reply), "ScriptError");
    run(&mut server, "const a = 1;\nreturn a +;").fails("SyntaxError");
    run(&mut server, "throw 'text'").fails("Uncaught text");
    run(&mut server, "throw undefined").fails("Uncaught undefined");
    run(&mut server, "return Promise.reject(new Error('no'))").fails("Error: no");
    run(&mut server, "const a = {}; a.a = a; return a").fails("TypeError");
    let reply = run(&mut server, "\n\nreturn document.cookie");
    reply.fails("document.cookie is blocked in browser.evaluate (line 3)");
    assert_eq!(
        (name(&reply).as_str(), &reply.facts()["error"]["code"]),
        ("AuthorizationError", &json!(-32002))
    );
    run(&mut server, "return eval('1')").fails("eval is blocked in browser.evaluate");
    run(&mut server, "return new Function('1')").fails("Function is blocked in browser.evaluate");
    run(&mut server, "await import('x')").fails("import is not available");
    let reply = run(&mut server, "await new Promise(() => {})");
    assert_eq!(name(&reply), "Timeout", "{}", reply.text());
    tells(&run(&mut server, "return 'x'.repeat(5)"), "xxxxx");
    let long = run(&mut server, "return 'x'.repeat(3000000)");
    long.says("truncated, 3000000 characters in total");
    assert!(long.text().len() < 101_000);
    run(&mut server, "return Array.from({ length: 60000 }, (_, i) => i)").says("truncated");
    run(&mut server, "alert('hello')").fails("hello");
}

#[test]
fn an_endless_script_is_ended_and_the_page_can_be_used_again() {
    let (mut server, site) = open(&["--action-timeout", "1s"]);
    let reply = run(&mut server, "while (true) {}");
    assert_eq!(reply.facts()["error"]["name"], "Timeout", "{}", reply.text());
    server.call("browser.navigate", json!({ "url": site.url("/more") })).ok();
    tells(&run(&mut server, "return document.title"), "More");
}
