package server

import (
	"database/sql"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"colophon/exports"
	"colophon/worker/edgehttp"
)

// metrics are what an operator watches. Their labels are endpoints, methods,
// classes and statuses, a bounded set whatever clients send.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	sent     *prometheus.CounterVec
}

func newMetrics(s *HTTP, db *sql.DB) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "colophon_http_requests_total", Help: "Requests answered; status 0 was cut before an answer.",
		}, []string{"route", "method", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "colophon_http_request_duration_seconds", Help: "Time from the head of a request to the end of its answer.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 120},
		}, []string{"class"}),
		sent: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "colophon_http_response_bytes_total", Help: "Bytes of answers.",
		}, []string{"class"}),
	}
	m.registry.MustRegister(m.requests, m.seconds, m.sent, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.registerInfo()
	m.registerGates(s.gates)
	m.registerConnections(s.conns)
	m.registerBodies(s.bodies)
	if db != nil {
		m.registry.MustRegister(collectors.NewDBStatsCollector(db, "origin"))
	}
	return m
}

func (m *metrics) observeRequest(route, method string, load exports.Load, o edgehttp.Outcome) {
	m.requests.WithLabelValues(route, method, strconv.Itoa(o.Status)).Inc()
	m.seconds.WithLabelValues(string(load)).Observe(o.Duration.Seconds())
	m.sent.WithLabelValues(string(load)).Add(float64(o.Bytes))
}

func (m *metrics) registerInfo() {
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "colophon_build_info", Help: "Always 1; the label is the version.", ConstLabels: prometheus.Labels{"version": exports.Version},
	})
	info.Set(1)
	m.registry.MustRegister(info)
}

func (m *metrics) registerGates(gates gates) {
	for load, g := range gates {
		labels := prometheus.Labels{"class": string(load)}
		m.addGauge("colophon_requests_working", "Requests that are worked on.", labels, func() float64 { return float64(g.working.Load()) })
		m.addGauge("colophon_requests_waiting", "Requests that wait for a slot of their class.", labels, func() float64 { return float64(g.waiting.Load()) })
		m.addCounter("colophon_requests_shed_total", "Requests that were turned away because too many waited.", labels, func() float64 { return float64(g.shed.Load()) })
	}
}

func (m *metrics) registerConnections(l *connLimiter) {
	m.addGauge("colophon_connections_open", "Open connections.", nil, func() float64 { open, _, _, _ := l.Counts(); return float64(open) })
	m.addGauge("colophon_connections_waiting", "Connections without a request at work.", nil, func() float64 { _, waiting, _, _ := l.Counts(); return float64(waiting) })
	m.addCounter("colophon_connections_evicted_total", "Waiting connections that were closed for new ones.", nil, func() float64 { _, _, evicted, _ := l.Counts(); return float64(evicted) })
	m.addCounter("colophon_connections_refused_total", "Connections for which there was no room.", nil, func() float64 { _, _, _, refused := l.Counts(); return float64(refused) })
}

func (m *metrics) registerBodies(b *edgehttp.BodyBudget) {
	m.addGauge("colophon_bodies_in_flight", "Request bodies that are read or answered.", nil, func() float64 { count, _ := b.InFlight(); return float64(count) })
	m.addGauge("colophon_bodies_bytes", "Memory of request bodies in flight.", nil, func() float64 { _, bytes := b.InFlight(); return float64(bytes) })
}

func (m *metrics) addGauge(name, help string, labels prometheus.Labels, value func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help, ConstLabels: labels}, value))
}

func (m *metrics) addCounter(name, help string, labels prometheus.Labels, value func() float64) {
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help, ConstLabels: labels}, value))
}
