package servicetest

import "time"

// HasArchive reports whether the job has an artifacts archive that was not
// deleted and has not expired.
func (j *Job) HasArchive() bool {
	defer j.svc.lock()()
	j.expire()
	return j.archive != nil
}

// ArtifactsExpireAt returns when the artifacts expire, or the zero time if they
// do not.
func (j *Job) ArtifactsExpireAt() time.Time {
	defer j.svc.lock()()
	return j.expireAt
}

// expire deletes the artifacts if they have expired.
func (j *Job) expire() {
	if (j.archive != nil || j.junit != nil) && !j.expireAt.IsZero() && !j.expireAt.After(j.svc.now()) {
		j.erase()
	}
}

// erase deletes the artifacts, but not the log.
func (j *Job) erase() {
	j.archive, j.junit = nil, nil
	j.change()
}

// dateArtifacts sets when the artifacts expire, unless an option has set it.
func (j *Job) dateArtifacts() {
	if j.archive != nil && j.expireAt.IsZero() && !j.keeps {
		j.expireAt = j.svc.now().Add(30 * 24 * time.Hour)
	}
}
