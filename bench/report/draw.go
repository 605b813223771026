package main

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"strings"

	"example.com/serviceapi/bench"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// The colors of a figure. Ink and faint have counterparts for a dark background; the
// others can be read on both.
var (
	ink    = color.RGBA{0x1f, 0x23, 0x28, 0xff}
	faint  = color.RGBA{0xd0, 0xd7, 0xde, 0xff}
	blue   = color.RGBA{0x3b, 0x82, 0xf6, 0xff}
	orange = color.RGBA{0xd9, 0x77, 0x06, 0xff}
)

// svgStyle exchanges the colors on a dark background.
const svgStyle = `<style>@media (prefers-color-scheme: dark) {` +
	`[style*="fill:#1F2328"]{fill:#e6edf3!important}[style*="stroke:#1F2328"]{stroke:#e6edf3!important}` +
	`[style*="stroke:#D0D7DE"]{stroke:#3d444d!important}` +
	"}</style>\n"

// fontFamilies are used where the font that the text was measured with is missing.
const fontFamilies = "font-family:Liberation Sans,Arial,Helvetica,sans-serif"

// newPlot returns a plot with the look that all have.
func newPlot(title string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	p.Title.Text = title
	p.Title.Padding = 8
	p.Title.TextStyle.Font = sans(11)
	p.Title.TextStyle.Color = ink
	p.Legend.TextStyle.Font = sans(9)
	p.Legend.TextStyle.Color = ink
	p.Legend.ThumbnailWidth = 18
	p.Legend.Padding = 3
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Color, axis.Tick.Color, axis.Tick.Label.Color, axis.Label.TextStyle.Color = ink, ink, ink, ink
		axis.Tick.Label.Font, axis.Label.TextStyle.Font = sans(9), sans(9)
		axis.Label.Padding = 4
	}
	return p
}

func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// svg draws a plot.
func svg(p *plot.Plot, description string, width, height vg.Length) ([]byte, error) {
	const margin = 10
	canvas := vgsvg.New(width+2*margin, height+2*margin)
	p.Draw(draw.Crop(draw.New(canvas), margin, -margin, margin, -margin))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, err
	}
	text := strings.ReplaceAll(b.String(), "font-family:Liberation Sans", fontFamilies)
	head, body, found := strings.Cut(text, "xlink\">\n")
	if !found {
		return nil, fmt.Errorf("the figure does not begin as expected: %.200s", text)
	}
	return []byte(head + "xlink\">\n<title>" + description + "</title>\n" + svgStyle + body), nil
}

// dot is a ratio, and its goal, 0 if there is none.
type dot struct{ ratio, goal float64 }

// compared is a row of the figure of ratios.
type compared struct {
	name string
	dots map[bench.Contender]dot
}

// ratios returns the rows that have a short name, and what they were compared with.
func (r record) ratios() (all []compared) {
	for _, line := range r.Rows {
		if line.Short == "" || line.To == "" || line.Metric != seconds && line.Metric != cpuSeconds {
			continue
		}
		if len(all) == 0 || all[len(all)-1].name != line.Short {
			all = append(all, compared{line.Short, map[bench.Contender]dot{}})
		}
		all[len(all)-1].dots[line.To] = dot{line.Result, line.Max}
	}
	return all
}

// series are the contenders in the figure of ratios.
var series = []struct {
	name  string
	who   []bench.Contender
	color color.Color
	shape draw.GlyphDrawer
}{
	{"of client-go", []bench.Contender{bench.Peer}, blue, draw.CircleGlyph{}},
	{"of net/http by hand", []bench.Contender{bench.Floor, bench.Bare}, orange, ring{}},
}

// drawRatios draws what this library needs as a share of what others need.
func (r record) drawRatios() ([]byte, error) {
	rows := r.ratios()
	p := newPlot("Time with this library as a share of others (less is better)")
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, ratioTicks{}
	p.X.Min, p.X.Max = 0.1, 2
	var names []string
	for i := range rows {
		names = append(names, rows[len(rows)-1-i].name) // the first is at the top
	}
	p.NominalY(names...)
	p.Y.Min, p.Y.Max = -3.2, float64(len(rows))-0.3 // with space for the legend
	p.Y.Tick.Length, p.Y.Width = 0, 0
	p.Add(grid(), vertical(1))
	for _, s := range series {
		var points, goals plotter.XYs
		for i, row := range rows {
			for _, who := range s.who {
				d, ok := row.dots[who]
				if !ok {
					continue
				}
				y := float64(len(rows) - 1 - i)
				points = append(points, plotter.XY{X: d.ratio, Y: y})
				p.X.Min, p.X.Max = min(p.X.Min, d.ratio*0.9), max(p.X.Max, d.ratio*1.1)
				if d.goal > 0 {
					goals = append(goals, plotter.XY{X: d.goal, Y: y})
				}
			}
		}
		marks, err := scatters(
			points, draw.GlyphStyle{Color: s.color, Radius: 3.5, Shape: s.shape},
			goals, draw.GlyphStyle{Color: s.color, Radius: 5, Shape: bar{}},
		)
		if err != nil {
			return nil, err
		}
		p.Add(marks...)
		p.Legend.Add(s.name, glyph{draw.GlyphStyle{Color: s.color, Radius: 3.5, Shape: s.shape}})
	}
	p.Legend.Add("goal", glyph{draw.GlyphStyle{Color: ink, Radius: 5, Shape: bar{}}})
	p.Legend.Left, p.Legend.Top, p.Legend.XOffs = true, false, 4
	return svg(p, "Time with this library as a share of others", 620, vg.Length(110+17*len(rows)))
}

// ratioTicks are marks at the usual ratios.
type ratioTicks struct{}

func (ratioTicks) Ticks(least, most float64) (ticks []plot.Tick) {
	for _, v := range []float64{0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5} {
		if v >= least && v <= most {
			ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprint(v)})
		}
	}
	return ticks
}

// wholeTicks are marks at whole numbers.
type wholeTicks struct{}

func (wholeTicks) Ticks(least, most float64) (ticks []plot.Tick) {
	step := max(1, math.Ceil(most/8))
	for v := math.Ceil(least); v <= most; v += step {
		ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprint(v)})
	}
	return ticks
}

func grid() plot.Plotter {
	g := plotter.NewGrid()
	g.Vertical = draw.LineStyle{Color: faint, Width: 0.5}
	g.Horizontal = g.Vertical
	return g
}

// scatters are points, and the goals of some of them.
func scatters(
	points plotter.XYs, point draw.GlyphStyle, goals plotter.XYs, goal draw.GlyphStyle,
) (all []plot.Plotter, err error) {
	for _, of := range []struct {
		at    plotter.XYs
		style draw.GlyphStyle
	}{{goals, goal}, {points, point}} {
		if len(of.at) == 0 {
			continue
		}
		s, err := plotter.NewScatter(of.at)
		if err != nil {
			return nil, err
		}
		s.GlyphStyle = of.style
		all = append(all, s)
	}
	return all, nil
}

// vertical is a line at a value of the x axis.
type vertical float64

func (v vertical) Plot(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	c.StrokeLine2(draw.LineStyle{Color: ink, Width: 0.8}, x(float64(v)), c.Min.Y, x(float64(v)), c.Max.Y)
}

// ring is a glyph, a circle that can be seen on any background.
type ring struct{}

func (ring) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	c.SetLineStyle(draw.LineStyle{Color: style.Color, Width: 1.6})
	var path vg.Path
	path.Move(vg.Point{X: at.X + style.Radius, Y: at.Y})
	path.Arc(at, style.Radius, 0, 2*math.Pi)
	path.Close()
	c.Stroke(path)
}

// bar is a glyph, a vertical line.
type bar struct{}

func (bar) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	c.StrokeLine2(draw.LineStyle{Color: style.Color, Width: 1.6}, at.X, at.Y-style.Radius, at.X, at.Y+style.Radius)
}

// glyph is an entry of a legend.
type glyph struct{ draw.GlyphStyle }

func (g glyph) Thumbnail(c *draw.Canvas) { c.DrawGlyph(g.GlyphStyle, c.Center()) }

const (
	walksWithLoss    = "20 pages of 100 over a link of 80ms with 1% loss"
	walksWithoutLoss = "20 pages of 100 over a link of 80ms without loss"
)

// linePlots are the lines in the figure of pages at once.
var linePlots = []struct {
	name, work, protocol string
	color                color.Color
	dashes               []vg.Length
}{
	{"HTTP/2, 1% loss", walksWithLoss, overHTTP2, orange, nil},
	{"HTTP/1.1, 1% loss", walksWithLoss, overHTTP1, blue, nil},
	{"HTTP/2, no loss", walksWithoutLoss, overHTTP2, orange, []vg.Length{4, 3}},
	{"HTTP/1.1, no loss", walksWithoutLoss, overHTTP1, blue, []vg.Length{4, 3}},
}

// drawPages draws how the time of a walk falls with the pages at once.
func (r record) drawPages() ([]byte, error) {
	p := newPlot(fmt.Sprintf("Time of %d pages over a link of %d ms", linePages, lineRoundTrip.Milliseconds()))
	p.X.Scale, p.X.Label.Text = plot.LogScale{}, "pages at once (1: one page ahead)"
	p.Y.Label.Text = "seconds"
	p.Y.Min = 0
	p.Add(grid())
	var ticks plot.ConstantTicks
	for _, n := range linePagesAtOnce {
		ticks = append(ticks, plot.Tick{Value: float64(n), Label: fmt.Sprint(n)})
	}
	p.X.Tick.Marker = ticks
	for _, s := range linePlots {
		var points plotter.XYs
		for _, n := range linePagesAtOnce {
			line, err := r.find(s.work, walkOver(s.protocol, n))
			if err != nil {
				return nil, err
			}
			points = append(points, plotter.XY{X: float64(n), Y: line.Values[bench.Ours]})
		}
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return nil, err
		}
		line.LineStyle = draw.LineStyle{Color: s.color, Width: 1.6, Dashes: s.dashes}
		dots.GlyphStyle = draw.GlyphStyle{Color: s.color, Radius: 2.5, Shape: draw.CircleGlyph{}}
		p.Add(line, dots)
		p.Legend.Add(s.name, line, dots)
		for _, at := range points {
			p.Y.Max = math.Max(p.Y.Max, at.Y*1.08)
		}
	}
	p.X.Max *= 1.05
	p.Y.Tick.Marker = wholeTicks{}
	p.Legend.Top = true
	return svg(p, "Time of a walk by the number of pages at once", 520, 300)
}
