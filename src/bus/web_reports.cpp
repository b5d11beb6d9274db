#include "bus/web_reports.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/json_writer.hpp"
#include "base/web_form.hpp"
#include "bus/web.hpp"
#include "wire/codec.hpp"

namespace caribou::bus {
namespace {

// Text from outside is only assigned to textContent.
constexpr std::string_view reports_script = R"(
const list=document.querySelector('tbody'),report=document.querySelector('#report'),state=document.querySelector('#state');
let chosen=new URLSearchParams(location.search);
const ask=async(query)=>(await fetch('/appcasts.json'+query)).json();
const part=(title,lines)=>{if(!lines.length)return;const h=document.createElement('h2'),p=document.createElement('pre');
 h.textContent=title;p.textContent=lines.join('\n');report.append(h,p)};
const plain=t=>t.replace(/\x1b\[[0-9;]*m/g,'');
async function show(){
 const node=chosen.get('node'),app=chosen.get('app');
 const casts=app===null?[]:await ask('?node='+encodeURIComponent(node)+'&app='+encodeURIComponent(app));
 report.replaceChildren();
 for(const c of casts){
  const h=document.createElement('h1');h.textContent=c.app+' '+c.node;report.append(h);
  part('Configuration warnings',c.config_warnings.map(plain));
  part('Run warnings',Object.entries(c.run_warnings).map(([t,n])=>'['+n+'] '+plain(t)));
  part('Report',c.messages.map(plain));
  part('Most recent events',c.events.map(plain).reverse());
 }
}
async function refresh(){
 try{
  const told=await ask('');const body=document.createElement('tbody');
  for(const r of told){
   const tr=body.insertRow(),link=document.createElement('a');
   const query='?node='+encodeURIComponent(r.node)+'&app='+encodeURIComponent(r.app);
   link.href='/appcasts'+query;link.textContent=r.app;
   link.onclick=e=>{e.preventDefault();history.replaceState(null,'',link.href);chosen=new URLSearchParams(query);refresh()};
   tr.insertCell().textContent=r.node;tr.insertCell().append(link);
   for(const n of [r.iterations,r.config_warnings,r.run_warnings]){const td=tr.insertCell();td.textContent=n;td.className='n'}
   if(r.config_warnings+r.run_warnings)tr.className='new';
   if(r.node===chosen.get('node')&&r.app===chosen.get('app'))tr.style.fontWeight='600';
  }
  document.querySelector('tbody').replaceWith(body);
  state.textContent=told.length?'':'no app has reported yet';
  await show();
 }catch{state.textContent='the broker does not answer'}
}
refresh();setInterval(refresh,1000);
)";

}  // namespace

WebReports::WebReports(std::string community, double warp, Publish publish)
    : community_(std::move(community)), warp_(warp), publish_(std::move(publish)) {}

void WebReports::deliver(const MessageRun& run) {
    run.for_each([this](ByteView message) {
        const auto value = wire::decode_message(message);
        // A report that cannot be read is not shown.
        if (value && value->is_string()) (void)board_.take(value->payload);
    });
}

void WebReports::request_reports(Instant now) {
    if (requested_ && now - *requested_ < request_interval) return;
    requested_ = now;
    const std::string request = to_string(AppCastRequest{.duration = 3 * warp_, .key = std::string(name())});
    // The second variable is for bridges to other communities.
    for (const std::string_view variable : {"APPCAST_REQ", "APPCAST_REQ_ALL"}) publish_(variable, request);
}

std::string WebReports::rows_json() const {
    JsonWriter to;
    to.begin_list();
    std::size_t rows = 0;
    for (const auto& [key, cast] : board_.casts()) {
        if (++rows > most_rows) break;
        to.begin_object();
        to.member("node", key.first);
        to.member("app", key.second);
        to.member("iterations", cast.iteration);
        to.member("config_warnings", static_cast<std::uint64_t>(cast.config_warnings.size()));
        to.member("run_warnings", cast.run_warning_total);
        to.end_object();
    }
    to.end_list();
    return std::move(to).take();
}

std::optional<WebAnswer> WebReports::answer(const WebRequest& request, Instant now) {
    const WebTarget target = parse_target(request.target);
    if (request.method != "GET" || (target.path != "appcasts" && target.path != "appcasts.json"))
        return std::nullopt;
    if (!is_for_us(request))
        return WebAnswer{.status = 403,
                         .body = message_page("Refused", "This page is available on localhost.")};
    if (is_our_own(request)) request_reports(now);
    if (target.path == "appcasts")
        return WebAnswer{
            .body =
                web_page("Reports of apps",
                         fmt::format("<header><h1><a href=\"/\">{}</a> / reports of apps</h1><span "
                                     "id=state></span></header><table><thead><tr><th>Community<th>App<th "
                                     "class=n>Iterations<th class=n>Configuration warnings<th class=n>Run "
                                     "warnings</thead><tbody></tbody></table><section "
                                     "id=report></section><script>{}</script>",
                                     web_escaped(community_), reports_script))};
    const auto node = target.query.find("node");
    const auto app = target.query.find("app");
    if (app == target.query.end()) return WebAnswer{.type = "application/json", .body = rows_json()};
    std::vector<const AppCast*> casts;
    const auto found =
        board_.casts().find({node == target.query.end() ? community_ : node->second, app->second});
    if (found != board_.casts().end()) casts.push_back(&found->second);
    return WebAnswer{.type = "application/json", .body = appcast_json(casts)};
}

}  // namespace caribou::bus
