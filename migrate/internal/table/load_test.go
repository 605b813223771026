package table

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLoad(t *testing.T) {
	table, err := Load()
	require.NoError(t, err)

	list := table.Method("Jobs.ListProjectJobs")
	require.Len(t, list, 1)
	assert.Equal(t, "Jobs.List", list[0].New)
	assert.Equal(t, "Jobs.All", list[0].All)
	assert.Equal(t, []string{"pid", "opts"}, list[0].Params)
	assert.Equal(t, []Arg{
		{Kind: Ref, Name: "project", Args: []Arg{{Kind: Param, Param: "pid"}}},
		{Kind: Options, Param: "opts"},
	}, list[0].Args)

	latest := table.Method("Jobs.DownloadArtifactsFile")[0]
	assert.Equal(t, []FieldArg{{Name: "Ref", Value: Arg{Kind: Param, Param: "refName"}}}, latest.Args[1].Fields)

	notes := table.Method("Notes.ListMergeRequestNotes")[0]
	mergeRequest := Arg{Kind: Chain, Name: "MergeRequest", Args: []Arg{
		{Kind: Ref, Name: "project", Args: []Arg{{Kind: Param, Param: "pid"}}},
		{Kind: Param, Param: "mergeRequest"},
	}}
	assert.Equal(t, mergeRequest, notes.Args[0])
	assert.Equal(t, []string{"pid", "mergeRequest"}, notes.Args[0].Params())
	emoji := table.Method("AwardEmoji.ListMergeRequestAwardEmojiOnNote")[0]
	require.Equal(t, Chain, emoji.Args[0].Kind)
	assert.Equal(t, "Note", emoji.Args[0].Name)
	assert.Equal(t, []string{"pid", "mergeRequestIID", "noteID"}, emoji.Args[0].Params())
	link := table.Method("IssueLinks.CreateIssueLink")[0]
	assert.Equal(t, []string{"TargetProjectID", "TargetIssueIID"}, link.Uses("opt"))

	assert.Contains(t, table.Fields("ListJobsOptions", "ListJobsOptions"), "IncludeRetried")
	assert.NotContains(t, table.Fields("ListJobsOptions", "ListPipelineJobsOptions"), "IncludeRetried")
	assert.Equal(t, "JobStatusFailed", table.Constant("Failed").New)
	assert.Nil(t, table.Constant("NoSuchConstant"))
	assert.Equal(t, Special, Arg{Kind: Special}.Kind)
}

// TestBadLines checks that an error says where it is and what is wrong.
func TestBadLines(t *testing.T) {
	for text, want := range map[string]string{
		"Jobs.GetJob(pid) Jobs.Get()":                  `no " = "`,
		"Jobs.GetJob = Jobs.Get()":                     "no parameters in parentheses",
		"GetJob() = Jobs.Get()":                        "not a service and a method",
		"Jobs.GetJob() = Get()":                        "not a service and a method",
		"Jobs.GetJob(a, a) = Jobs.Get(a)":              "not the name of one parameter",
		"Jobs.GetJob(a,) = Jobs.Get(a)":                "not the name of one parameter",
		"Jobs.GetJob(a) only v9 = Jobs.Get(a)":         "no version",
		"Jobs.GetJob(a) = Jobs.Get(b)":                 "b is not a parameter",
		"Jobs.GetJob(a) = Jobs.Get(b.ID)":              "b.ID is not a field",
		"Jobs.GetJob(a) = Jobs.Get(a":                  "missing before",
		"Jobs.GetJob(a) = Jobs.Get(a) then":            "text after the call",
		"Jobs.GetJob(a) = Jobs.Get":                    "no arguments",
		"Jobs.GetJob(a) = Jobs.Get(project(a, a))":     "takes one argument",
		"Jobs.GetJob(a) = Jobs.Get(project(a).job(a))": "job is not a method of what project makes",
		"Jobs.GetJob(a) = Jobs.Get(project(a).Job)":    "Job has no arguments in parentheses",
		"Jobs.GetJob(a) = Jobs.Get(project(a).Job(b))": "b is not a parameter",
		"Jobs.GetJob(a) = Jobs.Get(project(a).":        "a name is missing",
		"Jobs.GetJob(a) = Jobs.Get(options(b))":        "neither a parameter nor a field",
		"Jobs.GetJob(a) = Jobs.Get(options(a, b))":     "neither a parameter nor a field",
		"Jobs.GetJob(a) = Jobs.Get(options(a, ID: b))": "b is not a parameter",
		"Jobs.GetJob(a) = Jobs.List(a) all Others.All": "of another service",
		"Jobs.GetJob(a) = Jobs.Get(a) when b.Done":     "not a field of a parameter",
		"Jobs.GetJob(a) = Jobs.Get(a) when not a":      "not a field of a parameter",
		`Jobs.GetJob(a) = Jobs.Get("a)`:                "a quote is missing",
		"Jobs.GetJob(a) = by hand: ":                   "parentheses",
		"Jobs.GetJob(a) only = Jobs.Get(a)":            "parentheses",
		"Jobs.GetJob(a) = Jobs.Get(Upload(A: b))":      "b is not a parameter",
	} {
		err := (&Table{}).read("methods.txt", "\n"+text+"\n", (*Table).readMethod)
		if assert.Error(t, err, text) {
			assert.ErrorContains(t, err, want, text)
			assert.ErrorContains(t, err, "methods.txt:2: ", text)
		}
	}
	for text, want := range map[string]string{
		"Job = -":                  "has no counterpart",
		"Job = ":                   "no \" = \"",
		"\tName = Title":           "belongs below its type",
		"Job = A Job":              "not a pair of names",
		"Job.  = Something":        "not a pair of names",
		"File = File means base64": "nobody knows",
		"File = File\n\tContent = Content means x": "nobody knows",
	} {
		err := (&Table{}).read("types.txt", text, (*Table).readType)
		assert.ErrorContains(t, err, want, text)
	}
	assert.ErrorContains(t, (&Table{}).read("constants.txt", "A = B C", (*Table).readConstant), "constants.txt:1: ")
	assert.ErrorContains(t, (&Table{}).read("functions.txt", "A = B", (*Table).readFunction), "functions.txt:1: ")
	for text, want := range map[string]string{
		"A(b) = magic(b)":        "nobody knows magic",
		"A(b) = WithB(magic(b))": "nobody knows magic",
		"A(b) = C(b) when b":     "text after the call",
		"A(b) = C(user(b).D(e))": "e is not a parameter",
		"A(b) = C(value(b).D())": "D is not a method of what value makes",
	} {
		assert.ErrorContains(t, (&Table{}).read("functions.txt", text, (*Table).readFunction), want, text)
	}
}
