package main

import (
	"bufio"
	"context"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// keep is how long a run stays in Redis after it was last worked on.
const keep = 7 * 24 * time.Hour

// A ledger is what a run has found so far, in Redis. Everything in it is written in
// such a way that writing it again changes nothing, because every task may run twice.
type ledger struct {
	redis redis.UniversalClient
	run   string
}

// key returns the name of a key. Those of a run are on the same node of a cluster.
func (l *ledger) key(what string) string { return "fleet:{" + l.run + "}:" + what }

var (
	// notePage keeps the first answer to "what comes after this page".
	notePage = redis.NewScript(`
		redis.call("HSETNX", KEYS[1], ARGV[1], ARGV[2])
		if #ARGV > 3 then
			redis.call("SADD", KEYS[2], unpack(ARGV, 4))
		end
		redis.call("EXPIRE", KEYS[1], ARGV[3])
		redis.call("EXPIRE", KEYS[2], ARGV[3])
		return redis.call("HGET", KEYS[1], ARGV[1])`)
	// noteResult keeps the first result of a project.
	noteResult = redis.NewScript(`
		local new = redis.call("HSETNX", KEYS[1], ARGV[1], ARGV[2])
		redis.call("HINCRBY", KEYS[2], new == 1 and "written" or "repeated", 1)
		redis.call("EXPIRE", KEYS[1], ARGV[3])
		redis.call("EXPIRE", KEYS[2], ARGV[3])
		return new`)
)

// page records the projects of a page, and the token of the next one. It returns the
// token that was recorded first: if the task of a page runs twice while projects come
// and go, its second run may see another end of the page, and there would be two walks.
func (l *ledger) page(ctx context.Context, token, next string, ids []int64) (string, error) {
	args := []any{token, next, int(keep.Seconds())}
	for _, id := range ids {
		args = append(args, id)
	}
	return notePage.Run(ctx, l.redis, []string{l.key("pages"), l.key("listed")}, args...).Text()
}

// has reports whether a project has its result, and counts it as repeated if so.
func (l *ledger) has(ctx context.Context, id int64) (bool, error) {
	found, err := l.redis.HExists(ctx, l.key("results"), strconv.FormatInt(id, 10)).Result()
	if err != nil || !found {
		return false, err
	}
	return true, l.redis.HIncrBy(ctx, l.key("counts"), "repeated", 1).Err()
}

// write records the result of a project, unless it already has one.
func (l *ledger) write(ctx context.Context, id int64, line []byte) error {
	keys := []string{l.key("results"), l.key("counts")}
	return noteResult.Run(ctx, l.redis, keys, id, line, int(keep.Seconds())).Err()
}

// counts are the figures of a run.
type counts struct {
	pages, listed, results int
	// written and repeated are the tasks whose result was new, and those whose result
	// was already there.
	written, repeated int
}

func (l *ledger) count(ctx context.Context) (counts, error) {
	pipe := l.redis.Pipeline()
	pages, listed := pipe.HLen(ctx, l.key("pages")), pipe.SCard(ctx, l.key("listed"))
	results, tally := pipe.HLen(ctx, l.key("results")), pipe.HGetAll(ctx, l.key("counts"))
	if _, err := pipe.Exec(ctx); err != nil {
		return counts{}, err
	}
	number := func(name string) int {
		n, _ := strconv.Atoi(tally.Val()[name]) // not there: 0
		return n
	}
	return counts{
		pages: int(pages.Val()), listed: int(listed.Val()), results: int(results.Val()),
		written: number("written"), repeated: number("repeated"),
	}, nil
}

// missing returns the projects that were listed and have no result.
func (l *ledger) missing(ctx context.Context) ([]int64, error) {
	listed, err := l.redis.SMembers(ctx, l.key("listed")).Result()
	if err != nil {
		return nil, err
	}
	done, err := l.ids(ctx)
	if err != nil {
		return nil, err
	}
	var missing []int64
	for _, text := range listed {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, err
		}
		if _, found := slices.BinarySearch(done, id); !found {
			missing = append(missing, id)
		}
	}
	slices.Sort(missing)
	return missing, nil
}

// ids returns the projects that have results, in ascending order.
func (l *ledger) ids(ctx context.Context) ([]int64, error) {
	fields, err := l.redis.HKeys(ctx, l.key("results")).Result()
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(fields))
	for i, field := range fields {
		if ids[i], err = strconv.ParseInt(field, 10, 64); err != nil {
			return nil, err
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// export writes the results as JSON lines, in the order of the projects' IDs.
func (l *ledger) export(ctx context.Context, out io.Writer) error {
	ids, err := l.ids(ctx)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(out)
	for batch := range slices.Chunk(ids, 500) {
		fields := make([]string, len(batch))
		for i, id := range batch {
			fields[i] = strconv.FormatInt(id, 10)
		}
		lines, err := l.redis.HMGet(ctx, l.key("results"), fields...).Result()
		if err != nil {
			return err
		}
		for _, line := range lines {
			text, _ := line.(string) // never nil: results are not removed
			buffered.WriteString(text)
			buffered.WriteByte('\n')
		}
	}
	return buffered.Flush()
}
