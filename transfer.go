package serviceapi

// Progress is the state of a download or an upload.
type Progress struct {
	// Done is the number of bytes so far, from the beginning of the whole.
	Done int64
	// Total is the number of all bytes, -1 if it is not known.
	Total int64
}

// Fraction returns how much of the whole is done, from 0 to 1, and 0 if the
// whole is not known.
func (p Progress) Fraction() float64 {
	if p.Total <= 0 {
		return 0
	}
	return min(1, float64(p.Done)/float64(p.Total))
}
