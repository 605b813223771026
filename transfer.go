package serviceapi

// Progress is the state of a download or an upload.
type Progress struct {
	// Done is the number of bytes transferred so far, counted from the beginning
	// of the content.
	Done int64
	// Total is the size of the content in bytes, -1 if it is not known.
	Total int64
}

// Fraction returns how much is done, from 0 to 1. It returns 0 if the total is
// not known.
func (p Progress) Fraction() float64 {
	if p.Total <= 0 {
		return 0
	}
	return min(1, float64(p.Done)/float64(p.Total))
}
