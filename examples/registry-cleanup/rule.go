package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"

	"example.com/serviceapi"
	"example.com/serviceapi/examples/internal/demo"
)

// ruleFlags are the flags that say which tags to delete.
type ruleFlags struct {
	match, keep, olderThan string
	keepN                  int
}

func (f *ruleFlags) register(flags *flag.FlagSet) {
	flags.StringVar(&f.match, "match", "build-.*", "remove tags whose whole `name` matches")
	flags.StringVar(&f.keep, "keep", "", "but keep those whose whole `name` matches")
	flags.IntVar(&f.keepN, "keep-n", 5, "keep the `n` newest of those that match")
	flags.StringVar(&f.olderThan, "older-than", "7d", "remove only tags older than this `span`: 12h or 7d")
}

// A rule says which tags of a repository to delete.
type rule struct {
	match, keep *regexp.Regexp // keep is nil if nothing is kept by name
	keepN       int
	span        string
	age         time.Duration
}

var spanForm = regexp.MustCompile(`^([1-9][0-9]{0,4})([hd])$`)

func (f *ruleFlags) rule() (r rule, err error) {
	if r.match, err = wholeName(f.match); err != nil || f.match == "" {
		return r, demo.Usage("-match needs a regular expression: %v", err)
	}
	if f.keep != "" {
		if r.keep, err = wholeName(f.keep); err != nil {
			return r, demo.Usage("-keep needs a regular expression: %v", err)
		}
	}
	span := spanForm.FindStringSubmatch(f.olderThan)
	if span == nil || f.keepN < 0 {
		return r, demo.Usage("-older-than needs a span such as 12h or 7d, and -keep-n a number from 0 on")
	}
	n, err := strconv.Atoi(span[1])
	if r.age = time.Duration(n) * time.Hour; span[2] == "d" {
		r.age *= 24
	}
	r.keepN, r.span = f.keepN, f.olderThan
	return r, err
}

// wholeName makes an expression match whole names, here as well as in the
// service, so that what is shown is what is deleted.
func wholeName(expression string) (*regexp.Regexp, error) {
	if _, err := regexp.Compile(expression); err != nil {
		return nil, err
	}
	return regexp.Compile(`^(?:` + expression + `)$`)
}

// options returns the rule as options of the call.
func (r rule) options() *serviceapi.DeleteRegistryTagsOptions {
	options := &serviceapi.DeleteRegistryTagsOptions{NameRegexDelete: r.match.String(), KeepN: r.keepN,
		OlderThan: r.span}
	if r.keep != nil {
		options.NameRegexKeep = r.keep.String()
	}
	return options
}

// choose returns the tags to delete, oldest first, by the rules of
// [serviceapi.RegistryService.DeleteTags].
func (r rule) choose(tags []*serviceapi.RegistryTagDetails, now time.Time) []*serviceapi.RegistryTagDetails {
	tags = slices.DeleteFunc(tags, func(tag *serviceapi.RegistryTagDetails) bool {
		return tag == nil || tag.Name == "latest" || tag.CreatedAt.IsZero() ||
			!r.match.MatchString(tag.Name) || r.keep != nil && r.keep.MatchString(tag.Name)
	})
	slices.SortFunc(tags, func(a, b *serviceapi.RegistryTagDetails) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.Name, b.Name))
	})
	tags = tags[:max(0, len(tags)-r.keepN)]
	return slices.DeleteFunc(tags,
		func(tag *serviceapi.RegistryTagDetails) bool { return now.Sub(tag.CreatedAt) <= r.age })
}

// details returns all tags of a repository with their images, nil for tags that
// no longer exist. A list of tags has no dates, so each tag is requested, eight
// at a time.
func details(
	ctx context.Context, client *serviceapi.Client, project serviceapi.ProjectRef, repositoryID int64,
) ([]*serviceapi.RegistryTagDetails, error) {
	names, err := serviceapi.Collect(client.Registry.AllTags(ctx, project, repositoryID, nil,
		serviceapi.WithConcurrentPages(4)))
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	found := make([]*serviceapi.RegistryTagDetails, len(names))
	slots := make(chan struct{}, 8)
	var workers sync.WaitGroup
	for i, tag := range names {
		slots <- struct{}{}
		workers.Go(func() {
			defer func() { <-slots }()
			detail, _, err := client.Registry.GetTag(ctx, project, repositoryID, tag.Name)
			if err != nil && !errors.Is(err, serviceapi.ErrNotFound) { // somebody else may have deleted it
				cancel(err)
			}
			found[i] = detail
		})
	}
	workers.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return found, nil
}
