// Pages that compare every role and name with the browser's, by specification: core-aam, dpub-aam, html-aam, svg-aam
// and accname. `except` lists our answers that differ on purpose.

const each = (words, html) => words.trim().split(/\s+/).map(html).join("");

const ROLES = `alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox
  comment complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic
  graphics-document graphics-object graphics-symbol grid gridcell group heading image img insertion link list listbox log main mark
  marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation note paragraph progressbar
  radio radiogroup region row rowgroup rowheader scrollbar search searchbox sectionfooter sectionheader separator
  slider spinbutton status strong subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar
  tooltip tree treegrid`;

const BOOKS = `abstract acknowledgments afterword appendix backlink biblioentry bibliography biblioref chapter colophon conclusion
  cover credit credits dedication endnote endnotes epigraph epilogue errata example footnote foreword glossary glossref index
  introduction noteref notice pagebreak pagefooter pageheader pagelist part preface prologue pullquote qna subtitle tip toc`;

export const pages = [
  {
    name: "core-aam: roles by themselves",
    html: each(ROLES, (role) => `<div role=${role}>x</div>`),
    except: [
      ['<div role=graphics-object>: graphics-object ""', "graphics-aam names it by its author only"],
      ['<div role=math>: math ""', "ARIA names math by its author only; the text is told below it"],
    ],
  },
  {
    name: "core-aam: roles with a name and the focus",
    html: each(ROLES, (role) => `<div role=${role} aria-label=named tabindex=0>x</div>`),
  },
  {
    name: "core-aam: roles in their context",
    html: `
      <div role=list><div role=listitem>one</div><span><span role=listitem>two</span></span></div>
      <div role=listbox><div role=option>a</div><div role=group aria-label=g><div role=option>b</div></div></div>
      <div role=combobox aria-controls=cl aria-expanded=true tabindex=0>v</div><div id=cl role=listbox><div role=option>c</div></div>
      <div role=tree><div role=treeitem aria-level=1>t <b>1</b></div><div role=treeitem aria-expanded=true>u<div role=group><div role=treeitem>v</div></div></div></div>
      <div role=table><div role=rowgroup><div role=row><div role=columnheader>h</div><div role=rowheader>r</div><div role=cell>c</div></div></div></div>
      <div role=grid><div role=row><div role=gridcell>g <button>in</button></div><div role=gridcell tabindex=0>f</div></div></div>
      <div role=treegrid><div role=row aria-level=1 tabindex=0><div role=gridcell>x</div><div role=gridcell>y</div></div></div>
      <div role=menubar><div role=menuitem aria-haspopup=true>File<div role=menu><div role=menuitem>Open</div><div role=menuitemcheckbox aria-checked=true>Wrap</div>
        <div role=group aria-label=size><div role=menuitemradio aria-checked=false>Big</div></div><div role=separator></div></div></div></div>
      <div role=tablist><div role=tab aria-selected=true aria-controls=tp1>T1</div><div role=tab>T2</div></div><div role=tabpanel id=tp1 aria-labelledby=nothing>p</div>
      <div role=radiogroup aria-label=rg><div role=radio aria-checked=true>r1</div><span role=radio>r2</span></div>
      <div role=feed><article>a1</article><div role=article aria-label=a2>x</div></div>
      <div role=toolbar aria-label=tb><button>b</button><div role=separator tabindex=0 aria-valuenow=5></div></div>
      <div role=figure aria-label=fig><div role=caption>cap</div></div>
      <div role=slider aria-valuenow=3 aria-valuetext=three aria-label=vol></div><div role=scrollbar aria-controls=tp1 aria-valuenow=1></div>
      <div role=progressbar aria-valuenow=4 aria-labelledby=pl></div><span id=pl>Loading</span><div role=meter aria-label=disk aria-valuenow=2></div>
      <div role=switch aria-checked=true><span>Wi</span>-Fi</div><div role=checkbox aria-checked=mixed>all</div>
      <div role=dialog aria-modal=false aria-labelledby=dt><h2 id=dt>Title</h2></div><div role=alertdialog aria-label=ad>x</div>`,
  },
  {
    name: "core-aam: which role counts",
    html: `
      <div role="unknown button">a</div><div role="link button">b</div><div role="none button">c</div><div role="widget button">d</div>
      <div role=command>e</div><div role=composite>f</div><div role=input>g</div><div role=landmark>h</div><div role=range>i</div><div role=roletype>j</div>
      <div role=section>k</div><div role=sectionhead>l</div><div role=select>m</div><div role=structure>n</div><div role=widget>o</div><div role=window>p</div>
      <div role="  BUTTON ">q</div><div role="">r</div><nav role="bogus">s</nav><h3 role=>t</h3><p role="region group">u</p><p role="form navigation">v</p>
      <h2 role=none>w</h2><h2 role=presentation aria-hidden=false>x</h2><h2 role=none aria-label=y>y</h2><h2 role=none aria-live=polite>z</h2>
      <h2 role=none tabindex=0>aa</h2><button role=none>ab</button><a href=# role=none>ac</a><input role=none aria-label=ad><ul role=none><li>ae</li></ul>
      <ul role=none><li role=listitem>af</li></ul><table role=none><tr><td>ag</td></tr></table><table role=none><tr><td role=cell>ah</td></tr></table>
      <img role=none src=x alt=ai><img role=presentation src=x><hr role=none><nav role=none>aj</nav><fieldset role=none><legend>ak</legend></fieldset>
      <ul role=presentation aria-label=al><li>al</li></ul><div role=none aria-owns=am>x</div><span id=am>am</span><dl role=none><dt>an</dt><dd>ao</dd></dl>
      <a href=# role=button>ap</a><button role=link>aq</button><button role=menuitem>ar</button><button role=tab>as</button><button role=switch aria-checked=true>at</button>
      <input type=checkbox role=switch aria-label=au><input type=checkbox role=button aria-pressed=true aria-label=av><input type=text role=combobox aria-label=aw>
      <input type=text role=spinbutton aria-label=ax><h1 role=tab>ay</h1><section role=banner>az</section><header role=region aria-label=ba>ba</header>
      <details role=region aria-label=bb><summary>bb</summary></details><summary role=heading>bc</summary><img role=button src=x alt=bd><svg role=button aria-label=be width=9 height=9></svg>
      <div role=img>bf <b>in</b></div><div role=button>bg <h2>in</h2></div><ol role=listbox aria-label=bh><li role=option>bh</li></ol><dl role=list><div role=listitem>bi</div></dl>
      <table role=grid><tr><th>bj</th><td>bk</td></tr></table><table role=treegrid><tbody><tr><td>bl</td></tr></tbody></table><td>bm</td>
      <div role=directory><div role=listitem>bn</div></div><span role=text>bo</span><div aria-roledescription=slide role=group aria-label=bp>bp</div>
      <body-part role=main>bq</body-part><fieldset role=radiogroup><legend>br</legend><input type=radio aria-label=bs></fieldset><label role=button>bt</label>
      <select role=menu aria-label=bu><option>bv</option></select><option role=menuitem>bw</option><output role=alert>bx</output><meter role=progressbar aria-label=by></meter>`,
  },
  {
    name: "dpub-aam: roles of books",
    html: each(BOOKS, (role) => `<div role=doc-${role}>x</div><div role=doc-${role} aria-label=named>x</div>`)
      + `<a role=doc-backlink href=#>b</a><ol><li role=doc-endnote>x</li></ol><nav role=doc-toc aria-labelledby=th><h2 id=th>Contents</h2></nav>
      <hr role=doc-pagebreak><section role=doc-chapter aria-label=c>x</section><span role=doc-noteref tabindex=0>1</span><img role=doc-cover src=x alt=cover>
      <div role="doc-unknown note">x</div><header role=doc-pageheader>x</header><aside role="doc-footnote">x</aside><h2 role=doc-subtitle>s <i>t</i></h2>`,
    except: [
      ['<div role=doc-subtitle>: doc-subtitle "x"', "Chromium before 150 does not name it by its content"],
      ['<h2 role=doc-subtitle>: doc-subtitle "s t"', "Chromium before 150 does not name it by its content"],
    ],
  },
  {
    name: "core-aam: items without their container",
    html: "<div role=listitem>a</div><div role=option>b</div><div role=treeitem>c</div>",
    except: [
      ['<div role=listitem>: listitem ""', "Chromium wants its container around it; its role still says what it is for"],
      ['<div role=option>: option "b"', "Chromium wants its container around it; its role still says what it is for"],
      ['<div role=treeitem>: treeitem "c"', "Chromium wants its container around it; its role still says what it is for"],
    ],
  },
  {
    name: "html-aam: elements",
    html: `
      <a href=#>x</a><a>x</a><abbr>x</abbr><address>x</address><map name=m><area href=# alt=ar shape=rect coords=0,0,5,5></map><img usemap=#m src=x alt=i width=9 height=9>
      <article>x</article><aside>x</aside><b>x</b><bdi>x</bdi><bdo>x</bdo><blockquote>x</blockquote><button>x</button><canvas>x</canvas><cite>x</cite><code>x</code>
      <data value=1>x</data><del>x</del><details><summary>s</summary>x</details><details open><summary>s</summary>x</details><details open>x</details><dfn>x</dfn>
      <dialog open>x</dialog><div>x</div><dl><dt>x</dt><dd>x</dd></dl><dl><div><dt>x</dt><dd>x</dd></div></dl><em>x</em><embed src=x>
      <fieldset><legend>l</legend><input></fieldset><fieldset><input></fieldset><figure><figcaption>c</figcaption><img src=x alt=y></figure><figure>x</figure>
      <footer>x</footer><form>x</form><form aria-label=f>x</form><h1>x</h1><h6>x</h6><header>x</header><hgroup><h2>x</h2><p>y</p></hgroup><hr><i>x</i>
      <iframe></iframe><iframe title=t></iframe><img src=x><img src=x alt=x><img src=x alt=""><img srcset="x 1x"><img srcset="x 1x" src=y><img><img alt=q>
      <input><input type=button value=x><input type=checkbox><input type=color><input type=date><input type=datetime-local><input type=email><input type=file>
      <input type=hidden><input type=image src=x><input type=month><input type=number><input type=password><input type=radio><input type=range><input type=reset>
      <input type=search><input type=submit><input type=tel><input type=text><input type=time><input type=url><input type=week><input list=d><input type=search list=d>
      <input type=email list=d><input type=number list=d><datalist id=d><option>a</option></datalist><ins>x</ins><kbd>x</kbd><label>x</label><main>x</main><mark>x</mark>
      <math><mi>x</mi></math><menu><li>x</li></menu><meter value=.5></meter><nav>x</nav><object data=x></object><ol><li>x</li></ol><li>x</li><output>x</output><p>x</p>
      <picture><img src=x alt=p></picture><pre>x</pre><progress value=.5></progress><q>x</q><ruby>x<rp>(</rp><rt>y</rt></ruby><s>x</s><samp>x</samp><search>x</search>
      <section>x</section><section aria-label=s>x</section><select><option>a</option><optgroup label=g><option>b</option></optgroup></select>
      <select multiple><option>a</option><optgroup label=g><option>b</option></optgroup></select><select size=3><option>a</option></select><small>x</small><span>x</span>
      <strong>x</strong><sub>x</sub><sup>x</sup><textarea></textarea><time>x</time><u>x</u><ul><li>x</li></ul><var>x</var><wbr><dir><li>x</li></dir><x-y>x</x-y>
      <table><caption>c</caption><colgroup><col></colgroup><thead><tr><th>h</th><th>h2</th></tr></thead><tbody><tr><th scope=row>r</th><td>d</td></tr></tbody>
        <tfoot><tr><td>f</td><td>g</td></tr></tfoot></table>
      <details name=a><summary>s1</summary>x</details><details name=a><summary>s2</summary>x</details><input type=checkbox switch>
      <button aria-pressed=true>x</button><button aria-haspopup=true>x</button><a href=# aria-haspopup=menu>x</a><div contenteditable=false>x</div><div hidden>x</div>`,
    except: [
      ['<form>: form ""', "Chromium before 150 wants a name"],
    ],
  },
  {
    name: "html-aam: what depends on the surroundings",
    html: `
      <article><header>x</header><footer>x</footer><aside>x</aside></article><section><header>x</header><footer>x</footer><aside>x</aside></section>
      <main><header>x</header><footer>x</footer><aside>x</aside></main><nav><header>x</header><footer>x</footer><aside>x</aside><aside aria-label=a>x</aside><aside title=a>x</aside></nav>
      <aside><header>x</header><footer>x</footer></aside><div role=article><header>x</header><footer>x</footer></div><div role=group><header>x</header></div>
      <section aria-label=x><header>x</header><footer>x</footer><aside>x</aside></section><div role=region aria-label=y><footer>x</footer></div><header aria-label=z>x</header>
      <article><header aria-label=inner>x</header></article><fieldset><header>x</header></fieldset><blockquote><footer>x</footer></blockquote><dialog open><header>x</header></dialog>
      <section aria-labelledby=nowhere>x</section><section title=t>x</section><section aria-label="">x</section><form name=n>x</form><form title=t>x</form>
      <ul><div><li>x</li></div></ul><ul><li>a<ul><li>b</li></ul></li></ul><menu><li><button>x</button></li></menu><span><li>x</li></span><ul style="list-style:none"><li>x</li></ul>
      <th>x</th><table><tr><th>a</th><th>b</th></tr><tr><td>c</td><td>d</td></tr></table><table><tr><th>a</th><td>b</td></tr><tr><th>c</th><td>d</td></tr></table>
      <table><tr><td></td><th>b</th></tr><tr><th>c</th><td>d</td></tr></table><table border=1><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>
      <table><thead><tr><td>a</td></tr></thead><tr><td>b</td></tr></table><table><tr><th scope=colgroup>a</th><th scope=rowgroup>b</th></tr></table>
      <table role=table><tr><td>a</td></tr></table><table aria-label=l><tr><td>a</td></tr></table><div style="display:table"><div style="display:table-row"><div style="display:table-cell">x</div></div></div>
      <table style="display:block"><tr><th>a</th></tr><tr><td>b</td></tr></table><tr>x</tr>
      <details><p>no summary</p></details><details open><summary>one</summary><summary>two</summary></details><div><summary>lone</summary></div>
      <select><hr><option disabled>a</option></select><select disabled aria-label=s><option>a</option></select><select multiple size=1 aria-label=t><option>a</option></select>
      <select size=1 aria-label=u><option>a</option></select><a name=x>x</a><a href="">x</a><a href=# tabindex=-1>x</a><a tabindex=0>x</a><a onclick=1>x</a>
      <figure aria-label=l><figcaption>c</figcaption></figure><figure title=l>x</figure><picture><source srcset=x><img></picture><img src=x alt="" tabindex=0><img src=x alt="" aria-label=l>
      <img src=x alt="" title=t><img alt=" " src=x><input type=image><input type=bogus><input type=text list=none><label><input type=checkbox>c</label>
      <p contenteditable aria-label=ce>x</p><h2 contenteditable>x</h2><div contenteditable=plaintext-only aria-label=cp>x</div><div contenteditable><p>in</p></div>
      <address aria-label=l>x</address><hgroup aria-label=l><h2>x</h2></hgroup><time aria-label=l>x</time><code aria-label=l>x</code><mark aria-label=l>x</mark>
      <video aria-label=v controls></video><audio aria-label=a controls></audio><canvas aria-label=c></canvas><object data=x aria-label=o></object><embed src=x aria-label=e>
      <body-x><main>x</main></body-x><search aria-label=q>x</search><search><form>x</form></search><output for=x aria-label=o>x</output>`,
    except: [
      ['<form name=n>: form ""', "Chromium before 150 wants a name"],
      ['<form>: form ""', "Chromium before 150 wants a name"],
      ['<div style=display:table>: generic ""', "a layout is no table"],
      ['<div style=display:table-row>: generic ""', "a layout is no table"],
      ['<div style=display:table-cell>: generic ""', "a layout is no table"],
      ['<select multiple= size=1 aria-label=t>: listbox "t"', "HTML-AAM has a list box wherever several can be chosen; Chromium before 150 too"],
      ['<img src=x alt= title=t>: img "t"', "a title is better than no name; Chromium before 150 agrees"],
      ['<p contenteditable= aria-label=ce>: textbox "ce"', "what a person can type into is told as a text box"],
      ['<div contenteditable=plaintext-only aria-label=cp>: textbox "cp"', "what a person can type into is told as a text box"],
      ['<div contenteditable=>: textbox ""', "what a person can type into is told as a text box"],
      ['<video aria-label=v controls=>: video "v"', "Chromium names its own error message"],
      ['<audio aria-label=a controls=>: audio "a"', "Chromium names its own error message"],
      ['<summary>: generic ""', "only the first one opens its details"],
    ],
  },
  {
    name: "html-aam: names",
    html: `
      <label for=n1>one</label><input id=n1><label>two <input></label><label for=n3>a</label><label for=n3>b</label><input id=n3><input title=four><input placeholder=five>
      <input title=six placeholder=p><input aria-label=seven title=t placeholder=p><input value=eight><label for=n9 aria-label=nine>x</label><input id=n9>
      <label for=n10 hidden>ten</label><input id=n10><label for=n11 style="display:none">eleven</label><input id=n11><label for=n12><span hidden>no</span>twelve</label><input id=n12>
      <label for=n13></label><input id=n13 title=thirteen><label>a<select><option>x<option selected>fourteen</select>b</label><label><input type=checkbox> fifteen</label>
      <label><input type=checkbox aria-label=sixteen> no</label><label>before <input type=radio> after</label><label for=n18 title=tip>eighteen</label><input id=n18>
      <input type=submit><input type=submit value=send><input type=submit value=""><input type=reset><input type=reset value=r><input type=button><input type=button value=b>
      <input type=button title=t><input type=button value="" title=t><input type=submit title=t><input type=image alt=a><input type=image alt=""><input type=image value=v>
      <input type=image title=t><input type=image alt="" value=v title=t><input type=file><input type=file multiple><input type=file title=t><input type=file aria-label=f>
      <input type=color title=c><input type=date aria-label=d><input type=range title=r><input type=number placeholder=num><input type=password placeholder=pw>
      <label>l<input type=file></label><label>m<input type=submit></label><label>n<input type=button value=v></label><label>o<button>p</button></label>
      <textarea placeholder=ph></textarea><textarea title=ta>v</textarea><label>q<textarea>v</textarea></label><select title=s><option>x</select><label>r<meter value=1></meter></label>
      <label>s<progress></progress></label><label>t<output>v</output></label><output title=u>v</output><button title=t>c</button><button title=t></button><button value=v></button>
      <button><img src=x alt=i></button><button><img src=x alt=""></button><button><span aria-hidden=true>x</span></button><button aria-label=l>c</button>
      <a href=# title=t></a><a href=#><img src=x alt=i>t</a><a href=# aria-label=" ">c</a><area title=t href=#><img src=x title=t><img src=x alt=a title=t><img src=x alt="" aria-label=l>
      <img src=x aria-labelledby=ll><span id=ll>by</span><iframe aria-label=l title=t></iframe><iframe name=n></iframe><fieldset><legend>leg</legend></fieldset>
      <fieldset aria-label=l><legend>leg</legend></fieldset><fieldset title=t></fieldset><fieldset><div><legend>deep</legend></div></fieldset><fieldset><legend></legend></fieldset>
      <fieldset title=t><legend><b>bold</b> leg</legend></fieldset><figure><figcaption>cap</figcaption></figure><figure title=t><figcaption>cap</figcaption></figure>
      <table><caption>cap</caption><tr><td>x</table><table title=t><caption>cap</caption><tr><td>x</table><table title=t><tr><td>x</table><table summary=s><tr><td>x</table>
      <table aria-label=l><caption>cap</caption><tr><td>x</table><table summary=s title=t><tr><td>x</table><details><summary>sum</summary>x</details><details title=t><summary>s</summary></details>
      <summary title=t>s</summary><h2 title=t>h</h2><h2 title=t></h2><p title=t>p</p><ul title=t><li>x</ul><li title=t>x</li><nav title=t>x</nav><section title=t>x</section>
      <div title=t>x</div><span title=t>x</span><abbr title=t>x</abbr><dfn title=t>x</dfn><td title=t>x</td><th abbr=a>x</th><option label=l>x</option>
      <select aria-label=z><option>x</option><option label=l>y</option><option label="">z</option><option title=t>w</option><option aria-label=al>v</option><optgroup label=g><option>o</option></optgroup></select>
      <dialog open title=t>x</dialog><dialog open><h2>h</h2></dialog><meter title=t></meter><progress title=t></progress><video title=t controls></video><audio title=t controls></audio>
      <canvas title=t></canvas><object title=t data=x></object><embed title=t src=x><math title=t><mi>x</mi></math><hr title=t><address title=t>x</address><blockquote title=t>x</blockquote>
      <article title=t>x</article><aside title=t>x</aside><main title=t>x</main><header title=t>x</header><footer title=t>x</footer><form title=t>x</form><search title=t>x</search>
      <menu title=t><li>x</menu><dl title=t><dt>x<dd>y</dl><pre title=t>x</pre><code title=t>x</code><em title=t>x</em><time title=t>x</time><output>x</output><label title=t>x</label>
      <input type=checkbox title=t><input type=radio title=t><input type=checkbox value=v><input type=search placeholder=p><input type=search title=t><input type=email placeholder=p>`,
    except: [
      ['<input id=n13 title=thirteen>: textbox "thirteen"', "an empty label says nothing, and the title does"],
      ['<input type=button value= title=t>: button "t"', "an empty value says nothing, and the title does"],
      ['<video title=t controls=>: video "t"', "Chromium names its own error message"],
      ['<audio title=t controls=>: audio "t"', "Chromium names its own error message"],
      ['<time title=t>: time ""', "ARIA lets nobody name it; Chromium before 150 did"],
    ],
  },
  {
    name: "svg-aam: drawings",
    html: `<style>svg{width:60px;height:20px}</style>
      <svg></svg><svg><title>t</title></svg><svg><title></title></svg><svg aria-label=l></svg><svg aria-label=l><title>t</title></svg><svg role=img></svg><svg role=img><title>t</title></svg>
      <svg><desc>d</desc></svg><svg><title>t</title><desc>d</desc></svg><svg title=attr></svg><svg><rect width=9 height=9 /></svg><svg><rect width=9 height=9><title>r</title></rect></svg>
      <svg><circle r=5><title>c</title></circle></svg><svg><ellipse rx=5 ry=5><title>e</title></ellipse></svg><svg><line x2=9 y2=9 stroke=red><title>l</title></line></svg>
      <svg><path d="M0 0h9v9z"><title>p</title></path></svg><svg><polygon points="0,0 9,0 9,9"><title>pg</title></polygon></svg><svg><polyline points="0,0 9,0 9,9"><title>pl</title></polyline></svg>
      <svg><g></g></svg><svg><g><title>g</title><rect width=9 height=9 /></g></svg><svg><g aria-label=gl><rect width=9 height=9 /></g></svg><svg><g role=group aria-label=gg><rect width=9 height=9 /></g></svg>
      <svg><text y=9>text</text></svg><svg><text y=9><title>tt</title>text</text></svg><svg><text y=9 aria-label=tl>text</text></svg><svg><text y=9>a <tspan>b</tspan></text></svg>
      <svg><a href=#><text y=9>link</text></a></svg><svg><a href=#><title>lt</title><text y=9>link</text></a></svg><svg><a xlink:href=# ><text y=9>old</text></a></svg>
      <svg><a href=# xlink:title=xt><text y=9>x</text></a></svg><svg><a href=# xlink:title=xt><rect width=9 height=9 /></a></svg><svg><a href=# aria-label=al><rect width=9 height=9 /></a></svg>
      <svg><a><text y=9>no href</text></a></svg><svg><image href=x width=9 height=9 /></svg><svg><image href=x width=9 height=9><title>im</title></image></svg>
      <svg><image href=x width=9 height=9 aria-label=il /></svg><svg><symbol id=sy><title>sy</title><rect width=9 height=9 /></symbol><use href=#sy /></svg><svg><use href=#sy><title>u</title></use></svg>
      <svg><foreignObject width=50 height=20><button>fo</button></foreignObject></svg><svg><svg><title>inner</title></svg></svg><svg><rect role=button tabindex=0 aria-label=rb width=9 height=9 /></svg>
      <svg><rect role=img aria-label=ri width=9 height=9 /></svg><svg><rect role=img width=9 height=9><title>rt</title></rect></svg><svg role=group aria-label=sg><rect width=9 height=9 /></svg>
      <svg role=graphics-document aria-label=gd><g role=graphics-object aria-label=go><circle role=graphics-symbol aria-label=gs r=5 /></g></svg><svg role=presentation><title>t</title></svg>
      <svg aria-hidden=true><title>t</title></svg><svg aria-labelledby=st><title id=st>by title</title></svg><svg><rect tabindex=0 width=9 height=9 /></svg><svg focusable=true><rect width=9 height=9 /></svg>
      <button><svg><title>icon</title></svg></button><a href=#><svg aria-label=icon></svg></a><button><svg><use href=#sy /></svg></button><button><svg><text y=9>tx</text></svg></button>
      <button><svg role=img aria-label=ia></svg> and text</button><svg><switch><text y=9>sw</text></switch></svg><svg><defs><title>no</title></defs><rect width=9 height=9 /></svg>
      <svg><title>de</title><title lang=en>en</title></svg><svg><text y=9><textPath href=#none>tp</textPath></text></svg><svg role=list><g role=listitem><text y=9>li</text></g></svg>`,
    except: [
      ['<button>: button ""', "only the newest Chromium looks into what `use` shows; the hint tells its id"],
      ['<button>: button "tx"', "Chromium before 156 leaves texts of drawings out"],
    ],
  },
  {
    name: "accname: labels and references",
    html: `
      <button aria-label=a>x</button><button aria-label="">b</button><button aria-label="   ">c</button><button aria-labelledby="">d</button><button aria-labelledby=nowhere>e</button>
      <button aria-labelledby="nowhere r1">x</button><span id=r1>f</span><button aria-labelledby="r1 r2">x</button><span id=r2> g </span><button aria-labelledby="r2 r1 r2">x</button>
      <button id=s1 aria-labelledby="s1 r1">own</button><button id=s2 aria-label=me aria-labelledby="s2 r1">own</button><button aria-labelledby=h1>x</button><span id=h1 hidden>hidden</span>
      <button aria-labelledby=h2>x</button><span id=h2 hidden>out<span>in</span><span hidden>deep</span></span><button aria-labelledby=h3>x</button>
      <span id=h3 style="visibility:hidden">v<span style="visibility:visible">w</span></span><button aria-labelledby=h4>x</button><span id=h4>seen<span hidden>unseen</span><span aria-hidden=true>aria</span></span>
      <button aria-labelledby=h5>x</button><span id=h5 aria-hidden=true>aria<b>b</b></span><div hidden><span id=h6>inside hidden</span></div><button aria-labelledby=h6>x</button>
      <button aria-labelledby=c1>x</button><span id=c1 aria-labelledby=r1>chain</span><button aria-labelledby=c2>x</button><span id=c2 aria-label=lab>text</span>
      <button aria-labelledby=c3>x</button><img id=c3 src=x alt=alt><button aria-labelledby=c4>x</button><input id=c4 value=val><button aria-labelledby=c5>x</button><input id=c5 title=tit>
      <button aria-labelledby=c6>x</button><select id=c6><option>n<option selected>sel</select><button aria-labelledby=c7>x</button><div id=c7 role=slider aria-valuenow=4 aria-valuetext=four></div>
      <button aria-labelledby=c8>x</button><div id=c8 title=only></div><button aria-labelledby=c9>x</button><ul id=c9><li>one<li>two</ul><button aria-labelledby=c10>x</button>
      <table id=c10><tr><td>a<td>b<tr><td>c</table><button aria-labelledby=c11>x</button><input type=checkbox id=c11><label for=c11>lb</label><button aria-labelledby=c12>x</button><br id=c12>
      <div role=group aria-labelledby=r1>x</div><div role=dialog aria-labelledby="r1 r2">x</div><h2 aria-labelledby=r1>x</h2><div aria-labelledby=r1>x</div><p aria-label=p>x</p>
      <span aria-label=sp>x</span><ul aria-labelledby=r1><li>x</ul><li aria-label=li>x</li><div role=none aria-label=no>x</div><div role=alert aria-label=al>x</div>
      <a href=# aria-labelledby=r1 aria-label=l title=t>x</a><input aria-labelledby=r1><label for=z1>z</label><input id=z1 aria-labelledby=r1><label>z<input aria-label=w></label>
      <button aria-label="a&#10;b&#9;c">x</button><button aria-label="a &lt;b&gt;">x</button><button aria-label=&nbsp;>nb</button><button aria-label=0>x</button>
      <button aria-labelledby=d1>x</button><details id=d1><summary>su</summary>body</details><button aria-labelledby=d2>x</button><span id=d2><style>.q{}</style>st</span>
      <button aria-labelledby=d3>x</button><span id=d3><script>1</script>sc</span><button aria-labelledby=d4>x</button><noscript id=d4>ns</noscript><button aria-labelledby=d5>x</button><template id=d5>te</template>`,
    except: [
      ['<button aria-label=\u00a0>: button "nb"', "a blank label is none"],
    ],
  },
  {
    name: "accname: content",
    html: `
      <button>a<b>b</b>c</button><button>a <b>b</b> c</button><button>a<b> b </b>c</button><button><div>a</div><div>b</div></button><button>a<div>b</div>c</button><button>a<br>b</button>
      <button>a<wbr>b</button><button>a<img src=x alt=i>b</button><button>a<img src=x>b</button><button>a<img src=x alt="">b</button><button>a<span role=img aria-label=i></span>b</button>
      <button>a<input value=v>b</button><button>a<input type=checkbox>b</button><button>a<input type=submit>b</button><button>a<select><option>o</select>b</button><button>a<textarea>t</textarea>b</button>
      <a href=#>a<button>b</button>c</a><h2>a<a href=#>b</a>c</h2><h2><a href=# aria-label=l>b</a></h2><h2><a href=# title=t></a></h2><h2>a<span title=t>b</span></h2><h2>a<span title=t></span></h2>
      <h2><span aria-label=l>x</span> y</h2><h2><span aria-labelledby=cl>x</span> y</h2><i id=cl>ref</i><h2><div role=none>a</div><div role=presentation>b</div></h2><h2><ul><li>a<li>b</ul></h2>
      <h2><table><tr><td>a<td>b<tr><td>c</table></h2><h2><dl><dt>a<dd>b</dl></h2><h2><p>a<p>b</h2><h2>a<!-- c -->b</h2><h2>a<script>1</script>b</h2><h2>a<style>x{}</style>b</h2><h2>a<svg><title>t</title></svg>b</h2>
      <h2>a<span hidden>h</span>b</h2><h2>a<span style="display:none">h</span>b</h2><h2>a<span style="visibility:hidden">h</span>b</h2><h2>a<span style="visibility:collapse">h</span>b</h2><h2>a<span aria-hidden=true>h</span>b</h2>
      <h2>a<span aria-hidden=false>h</span>b</h2><h2>a<span style="opacity:0">h</span>b</h2><h2>a<span style="position:absolute;left:-999px">h</span>b</h2><h2>a<span style="display:inline-block">b</span>c</h2>
      <h2>a<span style="display:block">b</span>c</h2><h2>a<span style="display:flex">b</span>c</h2><h2>a<span style="display:inline-flex">b</span>c</h2><h2>a<span style="display:contents">b</span>c</h2>
      <h2>a<span style="float:left">b</span>c</h2><h2>a<span style="position:absolute">b</span>c</h2><h2 style="display:flex"><span>a</span><span>b</span></h2><h2>a<span style="display:table-cell">b</span></h2>
      <h2 style="white-space:pre">a  b</h2><h2>a&nbsp;b</h2><h2>a&#8203;b</h2><h2>a&shy;b</h2><h2 style="text-transform:uppercase">up</h2><h2 style="text-transform:capitalize">cap it</h2><h2 style="text-transform:lowercase">LOW</h2>
      <h2><q>q</q></h2><h2><ruby>r<rt>t</rt></ruby></h2><h2>1<sup>st</sup></h2><h2><abbr title=t>x</abbr></h2><h2><details><summary>s</summary>body</details></h2><h2><iframe></iframe>f</h2>
      <h2><video></video>v</h2><h2><canvas>c</canvas>d</h2><h2><object data=x>o</object>p</h2><h2><math><mi>m</mi></math></h2><h2><progress value=.5></progress>p</h2><h2><meter value=1></meter>m</h2>
      <h2><label>l</label></h2><h2><label>l<input value=v></label></h2><h2><output>o</output></h2><h2><fieldset><legend>l</legend>f</fieldset></h2><h2><span role=button tabindex=0>b</span></h2>
      <h2><span role=textbox contenteditable>tb</span></h2><h2><span role=listbox><span role=option aria-selected=true>o1</span><span role=option>o2</span></span></h2><h2><span role=slider aria-valuenow=5></span></h2>
      <h2><span role=spinbutton aria-valuenow=5 aria-valuetext=five>x</span></h2><h2><span role=combobox>cb</span></h2><h2><span role=progressbar aria-valuenow=5>x</span></h2><h2><input type=range value=7></h2>
      <h2><input type=password value=pw></h2><h2><input type=button value=bv></h2><h2><input type=image alt=ia></h2><h2><input type=file></h2><h2><input type=search value=sv></h2><h2><input type=number value=3></h2>
      <h2><span contenteditable>ce</span></h2><div role=checkbox aria-checked=true>c <b>d</b></div><div role=link>l <i>m</i></div><div role=tab>t</div><div role=tooltip>tt</div><div role=row>r</div>
      <div role=cell>c</div><div role=gridcell>g</div><div role=switch>s</div><div role=radio>r</div><div role=menuitem>m<div role=menu><div role=menuitem>sub</div></div></div><div role=term>te</div>
      <div role=definition>de</div><div role=caption>ca</div><div role=group>gr</div><div role=region aria-label=re>x</div><div role=note>no</div><div role=status>st</div><div role=code>co</div>`,
    except: [
      ['<button>: button "ab"', "a place where a word may break is no space"],
      ['<h2>: heading "at"', "accname 2I counts titles inside"],
      ['<h2>: heading "ab"', "characters that cannot be seen are left out"],
      ['<h2>: heading "ab"', "characters that cannot be seen are left out"],
      ['<h2>: heading "v"', "Chromium names its own error message"],
      ['<video>: video ""', "Chromium names its own error message"],
      ['<h2>: heading "m"', "a person sees the formula"],
      ['<h2>: heading "o"', "a person sees the output"],
      ['<h2>: heading ""', "secrets are not told, not even their length"],
      ['<h2>: heading "Choose File"', "the button is called so; what is chosen is its value"],
      ['<span contenteditable=>: textbox ""', "what a person can type into is told as a text box"],
    ],
  },
  {
    name: "accname: generated content",
    html: `<style>
      .b1::before{content:"B "} .a1::after{content:" A"} .bl::before{content:"B";display:block} .ib::before{content:"B";display:inline-block} .no::before{content:"B";display:none} .vh::before{content:"B";visibility:hidden}
      .at::before{content:attr(data-x) " "} .al::before{content:"*" / "star "} .ae::before{content:"*" / ""} .au::before{content:url(x.png) / "pic "} .ur::before{content:url(x.png)} .oq::before{content:open-quote} .oq::after{content:close-quote}
      .em::before{content:""} .co{counter-reset:c 4} .ct::before{counter-increment:c;content:counter(c) ". "} .cr::before{counter-increment:c;content:counter(c,upper-roman) " "} .cs::before{content:counters(c,".") " "}
      .mk li::marker{content:"M "} .es::before{content:"\\201C q \\22"} .two::before{content:"x" "y"} .up::before{content:"low ";text-transform:uppercase} .ic::before{content:"\\e001"} .pr::before{content:" sp "} .rp{content:"rep"} .aa::before{content:"*" / attr(data-x)}
      </style>
      <button class=b1>x</button><button class=a1>x</button><button class="b1 a1">x</button><button class=bl>x</button><button class=ib>x</button><button class=no>x</button><button class=vh>x</button>
      <button class=at data-x=dx>x</button><button class=at>x</button><button class=al>x</button><button class=ae>x</button><button class=au>x</button><button class=ur>x</button><button class=oq>x</button><button class=em>x</button>
      <div class=co><h2 class=ct>five</h2><h2 class=ct>six</h2><h2 class=cr>seven</h2><h2 class=cs>eight</h2></div><ul class=mk><li>x</ul><button class=es>x</button><button class=two>x</button><button class=up>x</button>
      <button class=ic>x</button><button class=ic></button><button class=pr>x</button><button><span class=b1>in</span></button><button><span class=bl>in</span> out</button><label class=b1>lb<input></label><a href=# class=a1><img src=x alt=i></a>
      <h2 class="b1"><span class=a1>m</span></h2><button aria-labelledby=gr>x</button><span id=gr class=b1>r</span><button class=aa data-x=q>x</button><h2><ol><li>one<li>two</ol></h2><button class=b1 aria-label=l>x</button><div class=b1 role=group>x</div>
      <img class=rp src=x alt=alt><div role=checkbox class=b1></div><h2 style="counter-reset:c 9" class=ct>ten</h2><h2><ul><li>bul</ul></h2>`,
    except: [
      ['<button class=ic>: button "x"', "glyphs of icon fonts say nothing"],
      ['<button class=ic>: button ""', "glyphs of icon fonts say nothing"],
      ['<h2 class=ct>: heading "5. five"', "Chromium tells counters as text, and leaves them out of names"],
      ['<h2 class=ct>: heading "6. six"', "Chromium tells counters as text, and leaves them out of names"],
      ['<h2 class=cr>: heading "VII seven"', "Chromium tells counters as text, and leaves them out of names"],
      ['<h2 class=cs>: heading "7 eight"', "Chromium tells counters as text, and leaves them out of names"],
      ['<h2 style=counter-reset:c 9 class=ct>: heading "10. ten"', "Chromium tells counters as text, and leaves them out of names"],
    ],
  },
  {
    name: "accname: owned elements",
    html: `
      <div role=button aria-owns=o1>a</div><span id=o1>b</span><div role=heading aria-level=2 aria-owns="o2 o3">c</div><span id=o2>d</span><span id=o3>e</span>
      <div role=button aria-owns=o4>f</div><div role=button aria-owns=o4>g</div><span id=o4>h</span><div id=o5 role=heading aria-level=2 aria-owns=o5>self</div>
      <div role=heading aria-level=2 id=o6><span aria-owns=o6>loop</span></div><input aria-label=in aria-owns=o7><span id=o7>i</span><img src=x alt=im aria-owns=o8><span id=o8>j</span>
      <div role=list aria-owns=o9></div><div id=o9 role=listitem>k</div><div role=listbox aria-label=lb aria-owns=o10></div><div id=o10 role=option>l</div><div role=heading aria-level=2 aria-owns=nowhere>m</div>
      <div hidden aria-owns=o11></div><h2><span id=o11>n</span></h2><div role=button aria-owns=o12>p</div><span id=o12 hidden>q</span><h2 aria-hidden=true aria-owns=o13>r</h2><h2><span id=o13>s</span></h2>
      <select aria-label=sel aria-owns=o14><option>x</select><h2><span id=o14>t</span></h2><div role=tree aria-label=tr><div role=treeitem aria-owns=o15>u</div></div><div id=o15 role=group><div role=treeitem>v</div></div>
      <textarea aria-label=ta aria-owns=o16></textarea><h2><span id=o16>w</span></h2><div role=heading aria-level=2 aria-owns=o17>first </div><div role=heading aria-level=2>z <span id=o17>moved</span></div>
      <br aria-owns=o18><h2><span id=o18>br</span></h2><div role=textbox contenteditable aria-label=ed aria-owns=o19></div><h2><span id=o19>ed</span></h2><iframe title=fr aria-owns=o20></iframe><h2><span id=o20>fr</span></h2>
      <h2><canvas aria-owns=o21></canvas>cv</h2><span id=o21>ca</span><h2 aria-owns=bodyless>bl</h2>`,
  },
  {
    name: "accname: shadow trees",
    html: `<sh-a>light</sh-a><sh-b><span slot=n>named</span>rest</sh-b><sh-c aria-label=host></sh-c><button><sh-a>in button</sh-a></button><h2><sh-d></sh-d> tail</h2><label>lb <sh-e></sh-e></label>
      <div id=outer>outer</div><sh-f></sh-f><sh-g>slotted label</sh-g><script>
      const define = (name, html) => customElements.define(name, class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: "open" }).innerHTML = html; } });
      define("sh-a", "<button>a <slot></slot></button>"); define("sh-b", "<h2><slot name=n></slot> <slot></slot></h2><p><slot name=none>fallback</slot></p>"); define("sh-c", "<button aria-labelledby=l>x</button><i id=l>inner</i>");
      define("sh-d", "<b>shadow</b> text"); define("sh-e", "<input aria-label=inside>"); define("sh-f", "<button aria-labelledby=outer>own</button>"); define("sh-g", "<button aria-labelledby=s>x</button><slot id=s></slot>");
      </script>`,
  },
];
