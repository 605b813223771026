package line

import (
	"io"
	"time"
)

const (
	segmentSize   = 1460
	firstWindow   = 10
	duplicates    = 3                      // later segments until a loss is noticed
	minTimeout    = 200 * time.Millisecond // in addition to the round trip
	lostHandshake = time.Second
)

// sender is one direction of a connection. Its methods are called by one goroutine.
type sender struct {
	roundTrip time.Duration
	lost      func() bool
	unsent    []byte
	// flight are the segments that were sent and are not both delivered and acknowledged,
	// in order. The first few of them may have been delivered.
	flight    []*segment
	delivered int
	// unacknowledged is how many count against the window.
	unacknowledged    int
	window, threshold float64
	lastSent, reduced time.Time
}

type segment struct {
	data         []byte
	sent         time.Time
	lost         bool
	followers    int
	noticed      time.Time // when the sender knows of the loss, zero if there is none yet
	arrives      time.Time // zero while a loss has not been noticed
	acknowledged bool
}

func newSender(roundTrip time.Duration, lost func() bool) *sender {
	return &sender{roundTrip: roundTrip, lost: lost, window: firstWindow, threshold: 1 << 30}
}

// busy reports whether something has not arrived yet.
func (s *sender) busy() bool { return len(s.unsent) > 0 || s.delivered < len(s.flight) }

// advance does all that is due: it acknowledges, delivers and sends. It returns when
// something is due again, zero if only more data can change that.
func (s *sender) advance(now time.Time, dst io.Writer) (next time.Time, err error) {
	s.notice(now)
	s.reduce(now)
	s.acknowledge(now)
	s.transmit(now)
	if err := s.deliver(now, dst); err != nil {
		return next, err
	}
	for s.delivered > 0 && s.flight[0].acknowledged {
		s.flight, s.delivered = s.flight[1:], s.delivered-1
	}
	for i, seg := range s.flight {
		due := seg.arrives
		switch {
		case due.IsZero():
			due = seg.sent.Add(2 * s.roundTrip)
		case i < s.delivered || !due.After(now): // it is there, or waits for another one
			if seg.acknowledged {
				continue
			}
			due = due.Add(s.roundTrip / 2)
		}
		if next.IsZero() || due.Before(next) {
			next = due
		}
	}
	return next, nil
}

// notice repeats what was lost in the tail: no later segments say so.
func (s *sender) notice(now time.Time) {
	for _, seg := range s.flight {
		if probe := seg.sent.Add(2 * s.roundTrip); seg.arrives.IsZero() && !probe.After(now) {
			s.repeat(seg, probe)
		}
	}
}

// repeat sends a lost segment again, and once more after a timeout if it is lost again.
func (s *sender) repeat(seg *segment, at time.Time) {
	seg.noticed = at
	for s.lost() {
		at = at.Add(s.roundTrip + minTimeout)
	}
	seg.arrives = at.Add(s.roundTrip / 2)
}

// reduce halves the window when a loss is noticed, once for all that is lost of it.
func (s *sender) reduce(now time.Time) {
	for _, seg := range s.flight {
		if seg.noticed.IsZero() || seg.noticed.After(now) || seg.sent.Before(s.reduced) {
			continue
		}
		s.threshold = max(s.window/2, 2)
		s.window, s.reduced = s.threshold, seg.noticed
	}
}

func (s *sender) acknowledge(now time.Time) {
	used := float64(2*s.unacknowledged) > s.window // a window that is not used does not grow
	for _, seg := range s.flight {
		if seg.acknowledged || seg.arrives.IsZero() || seg.arrives.Add(s.roundTrip/2).After(now) {
			continue
		}
		seg.acknowledged = true
		s.unacknowledged--
		switch {
		case !used || seg.sent.Before(s.reduced):
		case s.window < s.threshold:
			s.window++
		default:
			s.window += 1 / s.window
		}
	}
}

func (s *sender) transmit(now time.Time) {
	if s.unacknowledged == 0 && now.Sub(s.lastSent) > s.roundTrip+minTimeout {
		s.window = min(s.window, firstWindow) // after a pause, nobody knows the line
	}
	for len(s.unsent) > 0 && s.unacknowledged < int(s.window) {
		n := min(len(s.unsent), segmentSize)
		seg := &segment{data: s.unsent[:n:n], sent: now, lost: s.lost()}
		s.unsent = s.unsent[n:]
		s.lastSent = now
		s.unacknowledged++
		if !seg.lost {
			seg.arrives = now.Add(s.roundTrip / 2)
			s.follow(now)
		}
		s.flight = append(s.flight, seg)
	}
}

// follow counts a segment that arrives after those that were lost. The acknowledgment
// that tells the sender takes a round trip.
func (s *sender) follow(now time.Time) {
	for _, seg := range s.flight {
		if !seg.arrives.IsZero() {
			continue
		}
		if seg.followers++; seg.followers == duplicates {
			s.repeat(seg, now.Add(s.roundTrip))
		}
	}
}

// deliver writes what has arrived, in order.
func (s *sender) deliver(now time.Time, dst io.Writer) error {
	var data []byte
	for ; s.delivered < len(s.flight); s.delivered++ {
		seg := s.flight[s.delivered]
		if seg.arrives.IsZero() || seg.arrives.After(now) {
			break
		}
		data = append(data, seg.data...)
		seg.data = nil
	}
	if len(data) == 0 {
		return nil
	}
	_, err := dst.Write(data)
	return err
}
