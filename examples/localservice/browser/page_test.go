package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/serviceapi/servicetest"
)

// TestPage uses the page as people do.
func TestPage(t *testing.T) {
	browser := start(t)
	for name, test := range map[string]func(*testing.T, *tab){
		"a request appears":                aRequestAppears,
		"a retry is told apart":            aRetryIsToldApart,
		"the lists are cleared":            theListsAreCleared,
		"old rows make room":               oldRowsMakeRoom,
		"a filter works":                   aFilterWorks,
		"a fault makes the next call fail": aFaultMakesTheNextCallFail,
		"the clock finishes a job":         theClockFinishesAJob,
		"running jobs end":                 runningJobsEnd,
		"a delivery appears":               aDeliveryAppears,
		"objects are linked":               objectsAreLinked,
		"a script in a name does not run":  aScriptInANameDoesNotRun,
		"everything has a name":            everythingHasAName,
		"nothing overlaps":                 nothingOverlaps,
		"a request is copied as curl":      aRequestIsCopied,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := servicetest.New(t)
			service.Project("acme/app").Commit("main", "Begin")
			b := open(t, browser, service, 1280)
			test(t, b)
			b.clean()
		})
	}
	t.Run("a page without service says so", func(t *testing.T) {
		t.Parallel()
		service := servicetest.New(t)
		service.Project("acme/app")
		b := open(t, browser, service, 1280)
		b.stop()
		b.shows("#connection", "not connected")
		b.button("+1 day")
		b.shows("#message", "does not respond")
	})
}

const unfoldedRow = "#request-list details[open]"

func aRequestAppears(t *testing.T, b *tab) {
	assert.True(t, value[bool](b, `document.getElementById("no-requests").checkVisibility()`))
	b.call("GET", "/projects/1?license=true")
	b.shows("#request-list", "/api/v4/projects/1")
	b.shows("#request-list .status", "200")
	b.shows("#request-list .user", "root")
	assert.False(t, value[bool](b, `document.getElementById("no-requests").checkVisibility()`))

	b.press("#request-list summary", kb.Enter) // unfolds it
	b.shows(unfoldedRow, "Private-Token\n[redacted]")
	b.shows(unfoldedRow, "GET /projects/:id")
	assert.NotContains(t, value[string](b, "document.documentElement.outerHTML"), b.service.AdminToken())

	b.call("POST", "/projects/1/labels")
	b.until(`document.querySelectorAll("#request-list > li").length === 2`)
	assert.Equal(t, []string{"/api/v4/projects/1/labels", "/api/v4/projects/1?license=[redacted]"}, b.rows())
	assert.True(t, value[bool](b, `document.querySelector("#request-list li:last-child details").open`),
		"what was unfolded stays so")
	assert.Len(t, b.service.Requests(), 2, "the page itself is not in the log")
}

func aRetryIsToldApart(t *testing.T, b *tab) {
	b.service.Fault("*", servicetest.Status(503, ""), servicetest.Times(1))
	b.call("GET", "/projects/1")
	b.call("GET", "/projects/1")
	b.shows("#request-list .badge", "attempt 2")
	b.until(`document.querySelectorAll("#request-list .badge").length === 1`)
	b.shows("#request-list li:last-child .status", "503")
}

func theListsAreCleared(t *testing.T, b *tab) {
	b.call("GET", "/projects/1")
	b.until(`document.querySelectorAll("#request-list .took:not(:empty)").length === 1`)
	b.press("#request-list summary", kb.Enter)
	b.shows(unfoldedRow, `"path_with_namespace":"acme/app"`)
	b.button("Clear")
	assert.Empty(t, b.rows())
	b.call("GET", "/projects/2")
	b.until(`document.querySelectorAll("#request-list > li").length === 1`)
	assert.Equal(t, []string{"/api/v4/projects/2"}, b.rows())
}

func oldRowsMakeRoom(t *testing.T, b *tab) {
	assert.False(t, value[bool](b, `document.getElementById("older-requests").checkVisibility()`))
	for range 503 {
		b.call("GET", "/projects/1")
	}
	b.shows("#older-requests", "3 older ones")
	assert.Len(t, b.rows(), 500)
	b.resize(400)
	b.do(`scrollTo(0, 500)`)
	assert.Zero(t, value[float64](b, `document.querySelector("header").getBoundingClientRect().top`))
}

func aFilterWorks(t *testing.T, b *tab) {
	b.call("GET", "/projects/1")
	b.call("GET", "/projects/7")
	b.call("POST", "/projects/8/labels")
	b.until(`document.querySelectorAll("#request-list .took:not(:empty)").length === 3`)
	const one, seven, eight = "/api/v4/projects/1", "/api/v4/projects/7", "/api/v4/projects/8/labels"
	for _, c := range []struct {
		field, choice string
		want          []string
	}{
		{"status", "2", []string{one}}, {"status", "4", []string{eight, seven}}, {"status", "5", []string{}},
		{"method", "POST", []string{eight}}, {"text", "projects/7", []string{seven}},
		{"text", "LABELS", []string{eight}},
		{"text", "nowhere", []string{}},
	} {
		b.choose("#filters [name="+c.field+"]", c.choice)
		assert.Equal(t, c.want, b.rows(), c.choice)
		b.shows("#count", fmt.Sprintf("%d of 3", len(c.want)))
		b.press("#filters [type=reset]", kb.Enter)
		b.until(`document.querySelectorAll("#request-list > li:not([hidden])").length === 3`)
	}
	b.choose("#filters [name=status]", "4")
	b.call("GET", "/projects/1")
	b.call("GET", "/projects/9")
	b.until(`document.querySelectorAll("#request-list > li").length === 5`)
	b.until(`document.querySelectorAll("#request-list > li:not([hidden])").length === 3`)
}

func aFaultMakesTheNextCallFail(t *testing.T, b *tab) {
	require.Equal(t, 200, b.call("GET", "/projects/1"))
	b.choose("#fault-form [name=route]", "GET /projects/:id")
	b.choose("#fault-form [name=status]", "503")
	b.choose("#fault-form [name=times]", "1")
	b.press("#fault-form [name=status]", kb.Enter)
	b.shows("#message", "Added: GET /projects/:id: status 503, times 1")
	b.shows("#fault-list", "0 hits")
	assert.Equal(t, 503, b.call("GET", "/projects/1"))
	b.shows("#fault-list", "1 hit, used up")
	assert.Equal(t, 200, b.call("GET", "/projects/1"))

	b.press("#fault-list button", kb.Enter)
	b.until(`document.querySelectorAll("#fault-list li").length === 0`)
	assert.Equal(t, "route", value[string](b, "document.activeElement.name"), "the focus is not lost with its button")
	b.choose("#fault-form [name=times]", "")
	b.button("Add fault")
	b.shows("#fault-list", "GET /projects/:id: status 503")
	assert.Equal(t, 503, b.call("GET", "/projects/1"))
	b.button("Take back")
	b.shows("#message", "Taken back")
	assert.Equal(t, 200, b.call("GET", "/projects/1"))

	b.choose("#fault-form [name=route]", "GET /nonsense")
	b.button("Add fault")
	b.shows("#message.bad", "there is no route")
	b.shows("#fault-form #fault-problem", "there is no route")
	assert.Empty(t, b.service.Faults())
	b.choose("#fault-form [name=route]", "*")
	b.button("Add fault")
	b.until(`document.getElementById("fault-problem").hidden`)
	b.expects("status of 400")
}

func theClockFinishesAJob(t *testing.T, b *tab) {
	require.Equal(t, 201, b.call("POST", "/projects/1/pipeline?ref=main"))
	b.shows("#tree", "pipeline #1")
	b.until(`document.querySelector("#tree #pipeline-1").querySelector(".pending, .running")`)
	b.shows("#clock", "2026-01-15 09:00:00")
	b.press("[data-by=hour]", kb.Enter)
	b.shows("#clock", "2026-01-15 10:00:00")
	b.shows("#message", "one hour")
	b.until(`document.querySelector("#tree #pipeline-1").querySelector(".success")`)
	assert.Equal(t, "success", b.service.Project("acme/app").Jobs()[0].Status())
}

func runningJobsEnd(t *testing.T, b *tab) {
	pipeline := b.service.Project("acme/app").Pipeline("main")
	for end, want := range map[string]string{"Finish": "success", "Fail": "failed"} {
		job := pipeline.Job("test", servicetest.Running())
		b.shows("#running", "1 running job")
		b.button(end)
		b.shows("#running", "no running jobs")
		assert.Equal(t, want, job.Status())
	}
	assert.True(t, value[bool](b, `document.querySelector("[data-end=failed]").disabled`))
}

func aDeliveryAppears(t *testing.T, b *tab) {
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "not today", http.StatusBadGateway)
	}))
	defer target.Close()
	app := b.service.Project("acme/app")
	app.Hook(target.URL, servicetest.HookEvents("issues_events"), servicetest.HookToken("hidden-token"))
	app.Issue("Crash")
	b.shows("#delivery-list", "Issue Hook")
	b.shows("#delivery-list .status", "502")
	b.press("#delivery-list summary", kb.Enter)
	b.shows("#delivery-list details[open]", "not today")
	b.shows("#delivery-list details[open]", `"title": "Crash"`)
	assert.NotContains(t, value[string](b, "document.documentElement.outerHTML"), "hidden-token")
}

func objectsAreLinked(t *testing.T, b *tab) {
	app := b.service.Project("acme/app")
	request := app.MergeRequest("work")
	pipeline := app.Pipeline("work")
	pipeline.Job("test")
	b.until(`document.querySelector('#tree a[href="#merge-request-1"]')`)
	b.run(chromedp.Click(`//li[@id="merge-request-1"]/details/summary`))
	b.press(`#tree a[href="#pipeline-1"]`, kb.Enter)
	b.until(`document.activeElement.id === "pipeline-1"`)
	b.press(`#tree a[href="#merge-request-1"]`, kb.Enter)
	b.until(`document.activeElement.id === "merge-request-1"`)
	request.Close() // the tree is drawn again
	b.until(`document.querySelector("#merge-request-1").querySelector(".closed")`)
	assert.True(t, value[bool](b, `document.querySelector("#merge-request-1 > details").open`))
	assert.Equal(t, "merge-request-1", value[string](b, "document.activeElement.id"))
}

func aScriptInANameDoesNotRun(t *testing.T, b *tab) {
	const script = `<img src=x onerror="document.title='owned'"><script>document.title='owned'<\script>`
	app := b.service.Project("acme/" + script)
	app.MergeRequest("work", servicetest.Title(script))
	app.Pipeline("main").Job(script)
	b.shows("#tree", "acme/"+script)
	b.shows("#tree", "!1 "+script)
	b.service.User(script)
	b.call("GET", "/projects/1?"+"a=%3Cscript%3Edocument.title%3D'owned'%3C/script%3E")
	b.shows("#request-list", "script")
	b.press("#request-list summary", kb.Enter)
	b.choose("#fault-form [name=route]", script)
	b.button("Add fault")
	b.shows("#message.bad", "there is no route")
	assert.Equal(t, "localservice", value[string](b, "document.title"))
	assert.Zero(t, value[int](b, `document.querySelectorAll("img, script:not([src])").length`))
	// Nor would it, if a script of the page made elements of text.
	assert.Equal(t, "refused", value[string](b, `(() => {
		try { document.body.innerHTML = "<b>x</b>"; return "done"; } catch { return "refused"; }
	})()`))
	b.expects("status of 400")
	b.expects("TrustedHTML")
}

// everythingHasAName checks what a screen reader says of buttons, fields and lists, and that
// the focus goes everywhere in the order of the page.
func everythingHasAName(t *testing.T, b *tab) {
	b.call("GET", "/projects/1")
	b.service.Fault("*", servicetest.Status(503, ""))
	b.shows("#fault-list", "Take back")
	b.press("#request-list summary", kb.Enter)
	b.shows(unfoldedRow, "Copy as curl")
	roles := map[string]int{}
	for _, node := range send(b, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{}).Nodes {
		role := spoken(node.Role)
		if node.Ignored {
			continue
		}
		switch role {
		case "button", "textbox", "searchbox", "combobox", "link", "heading", "region", "search", "form",
			"DisclosureTriangle":
			roles[role]++
			assert.NotEmpty(t, spoken(node.Name), "%s without a name: %v", role, node.ChildIDs)
		}
	}
	assert.GreaterOrEqual(t, roles["button"], 9, roles)
	assert.GreaterOrEqual(t, roles["heading"], 5, roles)
	assert.Equal(t, 4, roles["region"], roles)
	assert.Positive(t, roles["DisclosureTriangle"], roles)
	assert.Equal(t, 1, value[int](b, `document.querySelectorAll("[aria-live], [role=status], [role=alert]").length`))

	seen := []string{}
	b.do(`document.activeElement.blur()`)
	for range 40 {
		b.run(chromedp.KeyEvent(kb.Tab))
		focus := value[string](b, `(() => {
			const e = document.activeElement;
			if (e === document.body) return "";
			const seen = getComputedStyle(e).outlineStyle !== "none" && e.matches(":focus-visible");
			return (seen ? "" : "unseen ") + (e.name || e.textContent.trim().slice(0, 12) || e.tagName);
		})()`)
		seen = append(seen, focus)
		assert.NotContains(t, focus, "unseen")
	}
	for _, name := range []string{"+1 min", "Transcript", "status", "text", "Show all", "Copy as curl", "Take back",
		"route", "Add fault"} {
		assert.Contains(t, seen, name)
	}
}

// spoken returns a text of the tree that screen readers get.
func spoken(v *accessibility.Value) (text string) {
	if v != nil {
		_ = json.Unmarshal(v.Value, &text) // it may be a number
	}
	return text
}

// nothingOverlaps checks it with long names, in wide and narrow windows, of both themes.
func nothingOverlaps(t *testing.T, b *tab) {
	furnish(t, b)
	for _, width := range []int64{1280, 960, 700, 400} {
		for _, theme := range []string{"light", "dark"} {
			b.resize(width)
			b.theme(theme)
			wide := value[int64](b, "document.documentElement.scrollWidth")
			assert.LessOrEqual(t, wide, width, "wider than the window")
			assert.Empty(t, value[[]string](b, overlaps), "%d columns, %s", width, theme)
			assert.Empty(t, value[[]string](b, faint), "%d columns, %s", width, theme)
		}
	}
}

// overlaps returns the elements that overlap another of the same parent.
const overlaps = `[".rows summary, .where, header div, form, .head, #fault-list li, main, .column"]
	.flatMap((parents) => [...document.querySelectorAll(parents)])
	.flatMap((parent) => {
		const boxes = [...parent.children].filter((e) => e.getClientRects().length)
			.map((e) => [e, e.getBoundingClientRect()]);
		const beside = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1;
		const meet = (a, b) => !beside(a, b) && a.top < b.bottom - 1 && b.top < a.bottom - 1;
		return boxes.flatMap(([e, a], i) => boxes.slice(i + 1)
			.filter(([, b]) => meet(a, b))
			.map(([other]) => e.outerHTML.slice(0, 80) + " overlaps " + other.outerHTML.slice(0, 80)));
	})`

// faint returns the elements whose text has less contrast than 4.5 to 1.
const faint = `(() => {
	const luminance = ([r, g, b]) => [r, g, b].map((c) => c / 255)
		.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
		.reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
	const numbers = (color) => color.match(/[\d.]+/g).map(Number);
	const behind = (e) => {
		for (; e; e = e.parentElement) {
			const color = numbers(getComputedStyle(e).backgroundColor);
			if (color[3] !== 0) return color;
		}
		return [255, 255, 255];
	};
	const hasText = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
	return [...document.querySelectorAll("body *")]
		.filter((e) => e.checkVisibility() && !e.disabled && hasText(e))
		.filter((e) => !e.getAnimations({ subtree: true }).length && !e.closest("li")?.getAnimations().length)
		.filter((e) => {
			const [one, two] = [numbers(getComputedStyle(e).color), behind(e)].map(luminance).sort((a, b) => b - a);
			return (one + 0.05) / (two + 0.05) < 4.5;
		}).map((e) => e.outerHTML.slice(0, 100));
})()`

func aRequestIsCopied(t *testing.T, b *tab) {
	b.call("POST", "/projects/1/labels?name=It's")
	b.press("#request-list summary", kb.Enter)
	b.shows(unfoldedRow, "Copy as curl")
	b.do(`navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }`)
	b.button("Copy as curl")
	b.shows("#message", "in the clipboard")
	copied := value[string](b, "window.copied")
	assert.Contains(t, copied, "curl --globoff \\\n  --request 'POST' \\\n")
	assert.Contains(t, copied, `--header "PRIVATE-TOKEN: $SERVICE_TOKEN"`)
	assert.NotContains(t, copied, b.service.AdminToken())

	b.do(`navigator.clipboard.writeText = () => Promise.reject(new Error("no"))`)
	b.button("Copy as curl")
	b.shows("#message", "Copy the selected command")
	assert.Equal(t, copied, value[string](b, `getSelection().toString() || document.querySelector("textarea").value`))
}
