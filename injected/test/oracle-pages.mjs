// Pages for the comparison with Chromium, as lists of small cases; `except` has our answers that differ on purpose,
// each with its reason. Chromium's answers are not recorded here: they differ between versions.

export const pages = [
  {
    name: "sections and text",
    html: `<title>t</title><header>h <a href=#>x</a></header><nav>n</nav><main><article><header>ah</header><footer>af</footer>\
      <h2>a <b>b</b></h2></article><section>s</section><section aria-label=S>s</section><aside>as</aside><article><aside>in</aside>\
      <aside aria-label=N>in</aside></article><form>f</form><form aria-label=F>f</form>\
      <form title=T>g</form><search>q</search><address>ad</address><blockquote>bq</blockquote><figure>\
      <img alt=pic><figcaption>Cap</figcaption></figure><hr><p>para</p><pre>pre</pre><dl><dt>T</dt><dd>D</dd></dl><ul><li>1</li></ul>\
      <ol><li>2</li></ol><menu><li>3</li></menu><li>orphan</li><div><li>orphan2</li></div><ul role=none><li>4</li></ul>\
      <details><summary>Sum</summary>x</details><details open><summary>Sum2</summary>x</details>\
      <dialog open aria-label=D>d</dialog><hgroup><h3>q</h3></hgroup><output>out</output><fieldset><legend>Leg</legend>\
      <input></fieldset><time>now</time><code>c</code> <mark>m</mark> <del>d</del><ins>i</ins><sub>s</sub><sup>s</sup><dfn>df</dfn><abbr title="Abbrev">ab</abbr><q>quote</q><kbd>k</kbd><s>s</s></main><footer>f</footer>\
      <div role=region>r</div><div role="region" aria-label=R>r</div><div role="foo button">fb</div>\
      <div role="presentation" tabindex=0>pt</div><h4 role=none>nn</h4><h4 role=none aria-label=zz>nn</h4><img src=x><img alt="" src=x>\
      <img alt="" title=t2 src=x><svg width=10 height=10><title>Svg</title><rect width=10 height=10 /></svg>\
      <svg width=10 height=10></svg>\
      <svg role=img aria-label=Icon width=10 height=10></svg><canvas></canvas><iframe title=fr></iframe><video controls></video><audio controls></audio><math><mi>x</mi></math><object data=x></object>\
      <span title="tip">txt</span><span aria-label="lab">txt</span><div aria-label="lab2">txt</div>\
      <p aria-label=pl>txt</p><b aria-label=bl>txt</b>\
      <div title=tt></div><meter value=3 max=10>3</meter><progress value=3 max=10></progress>\
      <label>lonely</label><a>nohref</a><area href=x>`,
    except: [
      ['<audio controls=>: audio ""', "Chromium names its own error message"],
      ['<video controls=>: video ""', "Chromium names its own error message"],
      ['<div role=presentation tabindex=0>: generic "pt"', "a bare clickable element is named by its text"],
      ['<img alt= title=t2 src=x>: img "t2"', "a title is better than no name"],
    ],
  },
  {
    name: "form fields",
    html: `<label>A <input></label><label for=b>B</label><input id=b><label>C <input type=checkbox></label><label>\
      <input type=radio> D</label><input placeholder=P><input title=T placeholder=P><input aria-label=L title=T>\
      <input type=search aria-label=s><input type=number aria-label=n><input type=range aria-label=r><input type=date aria-label=d>\
      <input type=time aria-label=ti><input type=datetime-local aria-label=dt><input type=month aria-label=mo>\
      <input type=week aria-label=we><input type=color aria-label=co><input type=email aria-label=e><input type=tel aria-label=te>\
      <input type=url aria-label=u><input type=password aria-label=p><input type=file aria-label=f><label>File <input type=file></label>\
      <input type=file><input type=button value=BV><input type=submit><input type=reset><input type=submit value=Send>\
      <input type=submit value=""><input type=image alt=Img><input type=image value=v><input type=image title=tt>\
      <input type=image src=x><input list=dl aria-label=lst><datalist id=dl><option>1</datalist>\
      <select aria-label=sel><option>o1<option selected label=lab>o2<optgroup label=og><option>o3</optgroup></select>\
      <select multiple aria-label=m><option>x<option>y</select><select size=3 aria-label=z><option>x</select>\
      <textarea aria-label=ta>val</textarea><textarea placeholder=tp></textarea><button>Btn</button><button title=tt></button>\
      <button aria-label=al>x</button><button><img alt=im> tx</button><label for=two1>One</label><label for=two1>Two</label>\
      <input id=two1><label>Wrap <select><option>oo</select> tail</label><label>Flash <input value=3> times</label>\
      <input type=checkbox id=fc><label for=fc>Flash the screen <input type=text value=5 aria-label="number of times"> times</label>\
      <div role=checkbox aria-checked=true>dc</div><div role=switch aria-checked=false tabindex=0>sw</div>\
      <div role=textbox contenteditable aria-label=ce>text</div><div contenteditable>edit me</div>\
      <div role=slider aria-valuenow=3 aria-label=sl></div><div role=combobox aria-label=cb aria-expanded=false>chosen</div>\
      <div role=listbox aria-label=lb><div role=option aria-selected=true>op</div></div>\
      <div role=spinbutton aria-valuenow=7 aria-label=sp></div><fieldset disabled><legend>L <input aria-label=inl></legend>\
      <input aria-label=dis></fieldset><output><b>1</b></output><input type=hidden><input type=checkbox switch aria-label=sww>\
      <button role=switch>bs</button>`,
    except: [
      ['<div contenteditable=>: textbox ""', "what a person can type into is told as a text box"],
      ['<img alt=im>: not told', "inside a button, parts that cannot be operated are told by its name"],
    ],
  },
  {
    name: "tables, grids and explicit roles",
    html: `<table><caption>Cap</caption><thead><tr><th>H1<th scope=row>H2</thead><tbody><tr><th>rh<td>c <a href=#>l</a><tr><td>x<td>y</tbody></table>\
      <table role=grid><tr tabindex=0><td>g1<td tabindex=0>g2</table><table><tr><td>p1<td>p2<tr><td>p3<td>\
      <table><tr><td>n</table></table><table role=presentation><tr><td>l</table><div role=table aria-label=T><div role=row>\
      <div role=cell>rc</div><div role=columnheader>ch</div></div></div><div role=grid><div role=row tabindex=0>\
      <div role=gridcell>a</div><div role=gridcell>b</div></div></div><div role=tree>\
      <div role=treeitem aria-expanded=true>ti<div role=group><div role=treeitem>sub</div></div></div></div><div role=tablist>\
      <div role=tab aria-selected=true>t1</div></div><div role=tabpanel aria-label=tp>x</div><div role=menu><div role=menuitem>mi</div>\
      <div role=menuitemcheckbox aria-checked=mixed>mc</div></div><div role=toolbar>tb</div><div role=alert>al</div>\
      <div role=status>st</div><div role=tooltip>tt</div><div role=progressbar aria-valuenow=5></div><div role=separator></div>\
      <div role=heading aria-level=3>hh</div><div role=img aria-label=ii>x</div><div role=link>li</div><div role=list>\
      <div role=listitem>x</div></div><div role=note>n</div><div role=log>n</div><div role=dialog aria-label=dd>n</div>\
      <div role=application>n</div><div role=document>n</div><div role=feed><div role=article>n</div></div><div role=math>n</div>\
      <div role=timer>n</div><div role=figure>n</div><div role=term>n</div><div role=definition>n</div><div role=directory>n</div>\
      <table summary=su><tr><td>a</table><table><tr><th>a</th></tr></table><table title=tit><tr><td>1<td>2</table>`,
    except: [
      ['<div role=math>: math ""', "ARIA names math by its author only; the text is told below it"],
      ['<td>: cell ""', "a layout cell's content is told below it, once"],
      ['<th>: columnheader "a"', "a header cell is one in any table"],
    ],
  },
  {
    name: "names from content",
    html: `<style>.b::before{content:"Bef "}.a::after{content:" Aft"}.bl::before{content:"X";display:block}.up{text-transform:uppercase}.ib{display:inline-block}.h{visibility:hidden}.alt::before{content:"★" / "star"}.fl{float:left}.abs{position:absolute}</style>
<button>\
      <span>a</span><span>b</span></button><button><div>a</div><div>b</div></button><button>a<br>b</button><button class=b>x</button>\
      <button class=a>x</button><button class=bl>x</button><button class=up>upper</button><button><span class=ib>a</span>\
      <span class=ib>b</span></button><button>x<span class=h>hid</span></button><button>x<span hidden>hid</span></button>\
      <button>x<span aria-hidden=true>hid</span></button><button aria-labelledby=h1>z</button>\
      <span id=h1 hidden>Hidden <i>label</i></span><button aria-labelledby="l1 l2" id=l2 aria-label=Two>z</button><span id=l1>One</span>\
      <button aria-labelledby=nope>fallback</button><button aria-label="  ">content</button><a href=#><img alt="Img"> and</a><a href=#>\
      <img alt=""></a><a href=# title=tit><img alt=""></a><a href=# title=tit>text</a><h2>head <button>btn</button></h2>\
      <h2>head <input value=val aria-label=lab></h2><h2>x <select><option>o1<option selected>o2</select></h2>\
      <button>pre <svg><title>svgt</title></svg></button><button><i title=icon></i></button>\
      <button aria-describedby=h1 title=desc>nm</button><div id=owner role=button aria-owns=owned>own </div><div id=owned>ed</div>\
      <button>a<span> b </span>c</button><button>a <span> b</span> c</button><button><p>p1</p><p>p2</p></button><a href=#><h3>hh</h3>\
      <p>pp</p></a><button><span class=fl>a</span><span>b</span></button><button>a<span class=abs>b</span></button>\
      <button class=alt>st</button><button><label>inlabel</label></button><button><ul><li>one<li>two</ul></button>\
      <button aria-labelledby=tb>q</button><input id=tb value=tbval><button aria-labelledby=ref2>x</button>\
      <span id=ref2 aria-labelledby=l1>ref2text</span><div role=checkbox aria-labelledby=st></div><style id=st>foo</style>\
      <div role=link>a<div>b</div>c</div><div role=button>x<!-- c -->y</div><button><slot>sl</slot></button><div role=heading>\
      <span role=button tabindex=0 aria-label=inner>zzz</span> rest</div><div tabindex=0>focus me</div><div tabindex=0><p>para</p>\
      <button>bb</button></div><button>&nbsp;nb&nbsp;sp</button><a href=#>x<b>y</b> <i>z</i></a><button>\
      <table><tr><td>c1<td>c2</table></button><button>1 <meter value=3 max=9></meter> 2</button>\
      <h1>Hello <span role=textbox contenteditable>World</span></h1><span role=button><span role=none>qq</span></span>\
      <label>Lab<input type=checkbox aria-labelledby=l1></label><img aria-label=x alt=y><img alt=" ">\
      <img title=only><a href=# aria-label="x">y</a><div role=group aria-labelledby=l1>x</div><summary>orph</summary><iframe></iframe>\
      <button><input type=checkbox aria-label=cc> chk</button><div role=option>opt</div><span class=b>pseudo</span><q>qu</q>`,
    except: [
      ['<button>: button "icon"', "accname 2I counts titles inside"],
      ['<div role=option>: option "opt"', "a role outside of its context is still what the author says it is"],
      ['<div tabindex=0>: generic "focus me"', "a bare clickable element is named by its text"],
      ['<li>: not told', "inside a button, parts that cannot be operated are told by its name"],
      ['<li>: not told', "inside a button, parts that cannot be operated are told by its name"],
      ['<meter value=3 max=9>: not told', "inside a button, parts that cannot be operated are told by its name"],
      ['<p>: not told', "a paragraph whose text the link around it tells has nothing left to say"],
      ['<p>: not told', "inside a button, parts that cannot be operated are told by its name"],
      ['<p>: not told', "inside a button, parts that cannot be operated are told by its name"],
      ['<svg>: not told', "inside a button, parts that cannot be operated are told by its name"],
      ['<table>: not told', "inside a button, parts that cannot be operated are told by its name"],
      ['<td>: not told', "inside a button, parts that cannot be operated are told by its name"],
      ['<td>: not told', "inside a button, parts that cannot be operated are told by its name"],
      ['<tr>: not told', "inside a button, parts that cannot be operated are told by its name"],
      ['<ul>: not told', "inside a button, parts that cannot be operated are told by its name"],
    ],
  },
  {
    name: "hidden things",
    html: `<div aria-hidden=true><button>no</button></div><div inert><button>no</button></div><div style="display:none">\
      <button>no</button></div><div style="visibility:hidden"><button>no</button><button style="visibility:visible">yes</button></div>\
      <div style="content-visibility:hidden"><button>no</button></div><details><summary>s</summary><button>no</button></details>\
      <div hidden=until-found><button>no</button></div><div style="opacity:0"><button>yes2</button></div><div style="display:contents">\
      <button>yes3</button></div><button style="display:contents">yes4</button><div style="width:0;height:0;overflow:hidden">\
      <button>yes5</button></div><div style="position:absolute;left:-9999px"><button>yes6</button></div>\
      <div style="clip-path:inset(100%)"><button>yes7</button></div><div style="transform:scale(0)">\
      <button>yes8</button></div><noscript><button>no</button></noscript><template><button>no</button></template>\
      <div aria-hidden=true tabindex=0>focusable hidden</div><button aria-hidden=false>yes9</button><div popover>pop</div>`,
  },
  {
    name: "a page that hides itself",
    html: `<body aria-hidden=true><button>x</button>`,
  },
  {
    name: "a hidden part that has the focus",
    html: `<div aria-hidden=true><button id=b>in</button></div><div aria-hidden=true tabindex=0>self</div><script>b.focus()</script>`,
  },
  {
    name: "generated text by all kinds of selectors",
    html: `<style>.x > ::before{content:"A "} .y ::after{content:" B"} ::before{color:red} @media all{li::before{content:"C "}}</style>\
      <div class=x><button>one</button></div><div class=y><div><button>two</button></div></div><nav><ul><li><a href=#>q</a></ul></nav>`,
  },
  {
    name: "odds and ends",
    html: `<input aria-placeholder=ap role=searchbox><div role=textbox aria-placeholder=pp></div><section title=st>x</section><nav title=nt>x</nav>\
      <div role=group title=gt>x</div><article aria-label=al>x</article><span role="text">t</span><div role=Button>caps</div><a href>empty</a>\
      <a href=# role=button>rb</a><ul role=menu><li role=menuitem>mi</ul><ul role=tablist><li role=tab>t</ul><div role=radiogroup aria-label=rg>\
      <div role=radio>r</div></div><dialog open>plain</dialog><button popovertarget=pp>pop</button><div id=pp popover>p</div><input type=submit value="  ">\
      <img src=x alt="  a  b "><h1></h1><a href=#></a><p></p><ul></ul><table></table><div role=alert></div><iframe srcdoc="<p>x"></iframe>\
      <marquee>m</marquee><bdo dir=rtl>x</bdo><var>v</var><u>u</u><picture><img alt=pp></picture><map name=m><area href=# alt=ar shape=rect coords=0,0,5,5></map>`,
  },
  {
    name: "a modal dialog",
    html: `<button>out</button><dialog id=d aria-label=Dlg><button>in</button></dialog><script>d.showModal()</script>`,
  },
  {
    name: "the cases of the name computation",
    html: `<style>.q:before{content:"fancy "} .q2::after{content:" fruit"} </style>
<input type=text id=a1 aria-labelledby="x1 x2 x3">\
      <span id=x1>a</span><span id=x2 style="visibility:hidden">b<span style="visibility:visible">c</span></span>\
      <span id=x3 hidden><b hidden>d</b>e</span>
<label for=c1 class=q>fruit</label>\
      <input id=c1 type=password>
<label for=c2>foo<input type=text value=David>bar</label>\
      <input type=checkbox id=c2>
<label for=c3>crazy<select name=member><option>beard<option selected>clown</select></label>\
      <input type=checkbox id=c3>
<label for=c4>crazy <span role=slider aria-label="volume" aria-valuenow=4 aria-valuetext="four">x</span> here</label>\
      <input type=checkbox id=c4>
<label for=c5>crazy <div role=spinbutton aria-valuenow=4></div></label>\
      <input type=checkbox id=c5>
<label for=c6>Use <span role=listbox><span role=option aria-selected=true>tahoe</span>\
      <span role=option>x</span></span> now</label>\
      <input id=c6 type=checkbox>
<label for=c7>a <span role=textbox contenteditable>tb</span> z</label>\
      <input id=c7 type=checkbox>
<label for=c8><i>a</i><b>b</b> <img alt=im></label>\
      <input id=c8>
<div role=link aria-labelledby="s1 s2" id=s1>\
      <span id=s2>self</span> and</div>
<a href=# id=l5 aria-label="Alabel" aria-labelledby="l5 l6">x</a>\
      <span id=l6>six</span>
<div role=button aria-labelledby=z1>q</div><div id=z1>\
      <span aria-hidden=true>hid</span>shown<span style="display:none">none</span></div>
<a href=#><span aria-hidden=true>x</span></a>\
      <h3 aria-label="">E</h3>
<div role=checkbox title=tt></div><div role=checkbox><span title=inner></span></div>
<button>\
      <span aria-label=spanlabel>sp</span> x</button><button>\
      <span role=img aria-label=i></span> y</button>
<div role=group aria-label=g>\
      <div role=radio aria-checked=true>r1</div></div>
<input type=text aria-labelledby=z9 title=fallback>\
      <input type=image alt="" title=it>
<fieldset><legend>A<br>B</legend><label><input type=radio>one</label></fieldset>\
      <table aria-label=tl><caption>tc</caption><tr><th>x</table>
<table><caption> <b>bold</b> cap </caption><tr><th>x<td>y</table>
<select aria-label=s1><option aria-label=ol>xx<option label=ll>yy</select>
<button>A<span style="display:block">B</span>C</button>\
      <button><span style="display:inline-flex">a</span><span style="display:inline-flex">b</span></button>\
      <div role=button style="display:flex"><span>a</span><span>b</span></div>\
      <div role=button style="display:grid"><i>a</i><i>b</i></div>
<a href=#>one<input type=checkbox>two</a>\
      <button>x<button>nested</button></button>
<a href=# class=q2>kiwi</a><h2><a href=#>T</a> <small>sub</small></h2>\
      <div role=heading aria-level=2>dd <div>ee</div></div>
<div role=button>a<span style="text-transform:capitalize">bcd efg</span></div>\
      <div role=switch aria-checked=true><span>on</span></div>
<p><label>Color: <select aria-label=zz><option>R</select></label></p>\
      <label for=mm>Meter</label><meter id=mm value=1>x</meter><label for=pp>Prog</label><progress id=pp></progress>\
      <label for=oo>Out</label><output id=oo>v</output><label for=bb>Lbl</label>\
      <button id=bb>cont</button>
<span id=lx>in <em>label</em></span><div role=combobox aria-labelledby=lx tabindex=0>v</div>\
      <div role=listbox aria-labelledby=lx><div role=option><b>o</b> <i>p</i></div></div>\
      <div role=progressbar aria-label=pb aria-valuenow=3></div>
<svg role=img width=9 height=9><title>st</title><desc>sd</desc><text>tx</text></svg>\
      <svg width=9 height=9 aria-label=al><text y=9>tx</text></svg>\
      <svg width=99 height=20><a href=#><text y=9>linktext</text></a></svg>
<div role=dialog aria-labelledby=dh>\
      <h2 id=dh>Dialog head</h2></div><div role=alertdialog aria-label=q><p>x</p></div><nav aria-labelledby=dh></nav>\
      <div role=treeitem>a <b>c</b></div>
<abbr title=World>W</abbr><button><abbr title=World>W</abbr></button><a href=#>\
      <img src=x title=imt></a><a href=#><svg><title>svt</title></svg></a><button><video></video>v</button>\
      <ul aria-label=ul><li aria-label=lil>x</ul><td>z</td>
<div role="button" aria-label="a &#10; b"></div><div role=tab>\
      <span>t</span> <button>x</button></div>`,
    except: [
      ['<button>: button "v"', "Chromium names its own error message"],
      ['<video>: not told', "inside a button, parts that cannot be operated are told by its name"],
      ['<div role=button>: button "aBcd Efg"', "where a word goes on across elements, its middle is capitalised"],
      ['<div role=checkbox>: checkbox "inner"', "accname 2I counts titles inside"],
      ['<div role=treeitem>: treeitem "a c"', "a role outside of its context is still what the author says it is"],
      ['<span role=img aria-label=i>: not told', "inside a button, parts that cannot be operated are told by its name"],
      ['<svg width=99 height=20>: not told', "a drawing without a name is told by its parts"],
    ],
  },
  {
    name: "shadow roots",
    html: `<x-a></x-a><x-b>\
      <span slot=s>slotted</span>default</x-b><x-c>text</x-c><script>customElements.define('x-a',class extends HTMLElement{constructor(){super();this.attachShadow({mode:'open'}).innerHTML='<button>in <b>shadow</b></button>\
      <label for=i>L</label>\
      <input id=i>'}});customElements.define('x-b',class extends HTMLElement{constructor(){super();this.attachShadow({mode:'open'}).innerHTML='<button>A <slot name=s></slot></button>\
      <h2><slot></slot></h2>'}});customElements.define('x-c',class extends HTMLElement{constructor(){super();this.attachShadow({mode:'open'}).innerHTML='<a href=#><slot>fallback</slot></a>'}});</script>`,
  },
];
