#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "base/web_form.hpp"
#include "bus/message_text.hpp"
#include "bus/web.hpp"
#include "bus/web_rows.hpp"

namespace caribou::bus {
namespace {

constexpr std::string_view style = R"(
:root{color-scheme:light dark;--line:#8883;--dim:#888;--accent:#c2621b}
*{box-sizing:border-box}
body{font:15px/1.45 system-ui,sans-serif;margin:0 auto;max-width:75rem;padding:1.2rem}
h1{font-size:1.35rem;margin:0}h1 a{color:inherit;text-decoration:none}
header{display:flex;flex-wrap:wrap;gap:.3rem 1.4rem;align-items:baseline;margin-bottom:1rem}
header span{color:var(--dim)}header b{color:CanvasText;font-weight:600}
form{display:flex;flex-wrap:wrap;gap:.5rem;margin:.8rem 0}
input,button{font:inherit;padding:.3rem .6rem;border:1px solid var(--line);border-radius:.4rem;background:Field;color:FieldText}
button{background:var(--accent);border-color:var(--accent);color:#fff;cursor:pointer}
input[type=search]{flex:1;min-width:12rem}
table{border-collapse:collapse;width:100%}
th{text-align:left;font-weight:600;color:var(--dim);font-size:.85rem}
th,td{padding:.28rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}
td{font-variant-numeric:tabular-nums}
td div,dd.v{font-family:ui-monospace,monospace;font-size:.9rem;word-break:break-word}
td div{max-width:28rem;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden}
td.n,th.n{text-align:right;white-space:nowrap}
td a{color:inherit;text-decoration-color:var(--line)}
tr.new div{color:var(--accent)}
.dim{color:var(--dim)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.3rem 1.2rem}dt{color:var(--dim)}dd{margin:0;white-space:pre-wrap;overflow-x:auto}
)";

// Text from outside is only assigned to textContent.
constexpr std::string_view script = R"(
const rows=document.querySelector('tbody'),filter=document.querySelector('#filter'),last=new Map();
const age=s=>s<0?'0 s':s<100?s.toFixed(1)+' s':s<6000?(s/60).toFixed(0)+' min':(s/3600).toFixed(1)+' h';
const cell=(tr,text,name)=>{const td=tr.insertCell();td.textContent=text;if(name)td.className=name;return td};
const shown=v=>'value'in v?String(v.value):'bytes'in v?v.bytes+' bytes':'';
async function refresh(){
 const pattern=filter.value?(/[*?]/.test(filter.value)?filter.value:'*'+filter.value+'*'):'*';
 try{
  const told=await(await fetch('/variables.json?filter='+encodeURIComponent(pattern))).json();
  const body=document.createElement('tbody');
  for(const v of told.variables){
   const tr=body.insertRow(),link=document.createElement('a');
   link.href='/'+encodeURIComponent(v.name);link.textContent=v.name;tr.insertCell().append(link);
   const div=document.createElement('div');div.textContent=shown(v);tr.insertCell().append(div);cell(tr,v.type,'dim');cell(tr,v.source??'');
   cell(tr,v.written===undefined?'':age(told.now-v.written),'n');
   cell(tr,v.hertz===undefined?'':v.hertz.toFixed(1)+' Hz','n');cell(tr,v.writes??'','n');
   if(last.has(v.name)&&last.get(v.name)!==v.writes)tr.className='new';
   last.set(v.name,v.writes);
  }
  document.querySelector('tbody').replaceWith(body);
  document.querySelector('#clients').textContent=told.clients;
  document.querySelector('#known').textContent=told.known;
  document.querySelector('#journal').textContent=told.journal;
  document.querySelector('#state').textContent=told.more?'only the first '+told.variables.length+' are shown':'';
 }catch{document.querySelector('#state').textContent='the broker does not answer'}
}
filter.addEventListener('input',refresh);setInterval(refresh,1000);
)";

std::string value_of(const Variable& variable, std::size_t most) {
    if (!variable.is_written()) return {};
    const wire::MessageView value = variable.value();
    if (value.is_number()) return fmt::format("{}", value.value);
    if (value.is_binary()) return fmt::format("{} bytes", value.payload.size());
    return std::string(value.payload.substr(0, most));
}

std::string age_of(const Variable& variable, double stamp) {
    if (!variable.is_written()) return {};
    return fmt::format("{:.1f} s", std::max(0.0, stamp - variable.written));
}

std::string row(const Variable& variable, double stamp) {
    const bool written = variable.is_written();
    return fmt::format(
        "<tr><td><a href=\"/{}\">{}</a></td><td><div>{}</div></td><td class=dim>{}</td><td>{}</td>"
        "<td class=n>{}</td><td class=n>{}</td><td class=n>{}</td></tr>\n",
        percent_encoded(variable.name), web_escaped(variable.name),
        web_escaped(value_of(variable, web_max_text)), type_name(variable.type),
        written ? web_escaped(variable.value().source) : "", age_of(variable, stamp),
        written ? fmt::format("{:.1f} Hz", variable.rate.hertz()) : "",
        written ? fmt::format("{}", variable.writes) : "");
}

constexpr std::string_view journal_state(const JournalStats* journal) {
    return !journal ? "off" : journal->paused ? "paused" : "on";
}

}  // namespace

std::string web_escaped(std::string_view text) {
    std::string safe;
    safe.reserve(text.size());
    for (const char c : text) switch (c) {
            case '<': safe += "&lt;"; break;
            case '>': safe += "&gt;"; break;
            case '&': safe += "&amp;"; break;
            case '"': safe += "&quot;"; break;
            default: safe += c;
        }
    return safe;
}

std::string web_page(std::string_view title, std::string_view body) {
    return fmt::format(
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">"
        "<title>{}</title><style>{}</style><body>{}</body></html>\n",
        web_escaped(title), style, body);
}

std::string overview_page(const WebView& view) {
    const std::string& community = view.broker.exchange().community();
    std::string rows;
    const auto chosen = choose_rows(view.broker.exchange(), {});
    for (const Variable* variable : chosen.rows) rows += row(*variable, view.stamp);
    return web_page(
        "MOOSDB " + community,
        fmt::format(
            "<header><h1>{}</h1><span><b id=known>{}</b> variables</span>"
            "<span><b id=clients>{}</b> <a class=dim href=\"/clients.json\">clients</a></span>"
            "<span><a class=dim href=\"/appcasts\">reports of apps</a></span>"
            "<span>journal <b id=journal>{}</b></span><span id=state>{}</span></header>"
            "<form method=post action=\"/\"><input type=search id=filter placeholder=\"Filter by name\" "
            "autocomplete=off><input name=VariableToPoke placeholder=Variable required>"
            "<input name=NewValue placeholder=Value><button name=DoPoke value=1>Poke</button></form>"
            "<table><thead><tr><th>Variable<th>Value<th>Type<th>Source<th class=n>Age<th class=n>Rate"
            "<th class=n>Writes</thead><tbody>\n{}</tbody></table><script>{}</script>",
            web_escaped(community), view.broker.exchange().size(), view.broker.client_count(),
            journal_state(view.journal),
            chosen.more ? fmt::format("only the first {} are shown", chosen.rows.size()) : "", rows, script));
}

std::string variable_page(const WebView& view, const Variable& variable) {
    std::string facts;
    const auto fact = [&](std::string_view name, std::string_view value) {
        facts += fmt::format("<dt>{}</dt><dd{}>{}</dd>", name, name == "value" ? " class=v" : "",
                             web_escaped(value));
    };
    fact("type", type_name(variable.type));
    if (variable.is_written()) {
        const wire::MessageView value = variable.value();
        fact("value", value_of(variable, web_max_page_text));
        fact("source", value.source);
        fact("aux", value.aux);
        fact("community", value.community);
        fact("time", fmt::format("{:.3f}", value.time));
        fact("age", age_of(variable, view.stamp));
        fact("rate", fmt::format("{:.1f} Hz", variable.rate.hertz()));
        fact("writes", fmt::format("{}", variable.writes));
    }
    fact("subscribers", fmt::format("{}", variable.subscriptions.size()));
    return web_page(
        variable.name,
        fmt::format("<header><h1><a href=\"/\">{}</a> / {}</h1></header><dl>{}</dl>"
                    "<form method=post action=\"/{}\"><input name=NewValue placeholder=\"New value\">"
                    "<button>Poke</button></form>",
                    web_escaped(view.broker.exchange().community()), web_escaped(variable.name), facts,
                    percent_encoded(variable.name)));
}

std::string message_page(std::string_view title, std::string_view text) {
    return web_page(title, fmt::format("<h1>{}</h1><p>{}</p><p><a href=\"/\">All variables</a></p>",
                                       web_escaped(title), web_escaped(text)));
}

}  // namespace caribou::bus
