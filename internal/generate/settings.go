package main

import (
	"cmp"
	"fmt"
	"go/format"
	"regexp"
	"slices"
	"strings"

	"example.com/serviceapi/internal/inventory"
)

// typesOfSettings returns the source of the two types that have all settings of the instance.
func typesOfSettings(root string) (map[string]string, error) {
	groups, err := inventory.SettingGroups(root)
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for name, form := range map[string]settingForm{
		"settings_types.go":   {head: resultHead, tail: resultTail, has: inventory.Setting.InResponses, isResult: true},
		"settings_options.go": {head: optionsHead, tail: optionsTail, has: inventory.Setting.InRequests},
	} {
		text, err := format.Source([]byte(form.write(groups)))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		files[name] = string(text)
	}
	return files, nil
}

const (
	generatedSettings = "// Code generated from testdata/application-settings.tsv by go generate; DO NOT EDIT.\n\n" +
		"package serviceapi\n\n"
	resultHead = generatedSettings + `import (
	"encoding/json"
	"time"
)

// ApplicationSettings are the settings of an instance. Text that is null is "", and a list
// that is null is nil. A setting that a release, an edition or a license does not have is
// nil, zero or "": what [ApplicationSettings.UpdateOptions] returns does not have it. A
// number that is not set is nil; the comment of the field says what that means. A comment
// that ends with a tier names the lowest in which the setting has an effect.
//
// Encoded as JSON, the settings have the members that the service sent, with the same
// values, except that a [Secret] is a placeholder.
type ApplicationSettings struct {
`
	resultTail = `
	// Extra has the settings that have no field here, by their names in the API. It may
	// contain secrets, which printing or encoding it reveals.
	Extra map[string]json.RawMessage ` + "`json:\"-\"`" + `

	blanks settingBlanks
}
`
	optionsHead = generatedSettings + `import (
	"encoding/json"
	"time"
)

// UpdateApplicationSettingsOptions changes the settings of the instance. Fields that are
// nil or absent are left unchanged; at least one must be set. See [ApplicationSettings] for
// what they mean; only what holds for changes stands here. Null clears a text, or a number
// that is a limit. A list replaces that of the instance: an empty list that is not nil
// removes all entries. A setting that the release, the edition or the license does not have
// is ignored: compare what [SettingsService.Update] returns.
type UpdateApplicationSettingsOptions struct {
`
	optionsTail = `
	// Extra has settings that have no field here, by their names in the API. The strings in
	// them may be secrets: no error and no dump shows those of 8 or more characters. A
	// setting that has a field is refused.
	Extra map[string]json.RawMessage ` + "`json:\",inline,embed\"`" + `
}
`
)

// A settingForm is how settings are written into one of the two types.
type settingForm struct {
	head, tail string
	has        func(inventory.Setting) bool
	isResult   bool
}

func (f settingForm) write(groups []inventory.SettingGroup) string {
	known := map[string]bool{}
	for _, group := range groups {
		for _, s := range group.Settings {
			known[s.Name] = s.InRequests() || s.InResponses()
		}
	}
	var b strings.Builder
	b.WriteString(f.head)
	first := true
	for _, group := range groups {
		title := "\t// " + group.Title + ".\n\n"
		for _, s := range group.Settings {
			if !f.has(s) {
				continue
			}
			if title != "" && !first {
				b.WriteString("\n")
			}
			b.WriteString(title)
			f.field(&b, s, known)
			title, first = "", false
		}
	}
	b.WriteString(f.tail)
	return b.String()
}

func (f settingForm) field(b *strings.Builder, s inventory.Setting, known map[string]bool) {
	text, typ, tag := commentOfSetting(s), settingType(s), s.Name
	switch {
	case !f.isResult:
		text, typ, tag = commentOfOption(s), optionType(s), s.Name+",omitzero"
	case isPointerOfSetting(s):
		typ = "*" + typ
	case typ == "json.RawMessage":
		tag += ",omitzero"
	}
	text = nameOfSetting.ReplaceAllStringFunc(text, func(word string) string {
		if known[word] {
			return fieldOfSetting(word)
		}
		return word
	})
	if text != "" {
		b.WriteString(strings.ReplaceAll("\t"+strings.TrimSuffix(wrapped(text), "\n"), "\n", "\n\t") + "\n")
	}
	fmt.Fprintf(b, "\t%s %s `json:%q`\n", fieldOfSetting(s.Name), typ, tag)
}

var nameOfSetting = regexp.MustCompile(`\b[a-z0-9]+(?:_[a-z0-9]+)+\b`)

// commentOfSetting returns what is said about a setting in results.
func commentOfSetting(s inventory.Setting) string {
	sentences := []string{fieldOfSetting(s.Name) + " " + s.Meaning + ".", defaultOfSetting(s), sinceOf(s),
		tierOf(s, s.Response)}
	if !s.InRequests() {
		sentences = append(sentences, "It cannot be changed.")
	}
	if isPointerOfSetting(s) && !strings.Contains(s.Meaning, "Nil means") {
		sentences = append(sentences, "It is nil if the instance does not have it.")
	}
	return joinedSentences(sentences)
}

// commentOfOption returns what a change of a setting has to observe.
func commentOfOption(s inventory.Setting) string {
	var sentences []string
	if !s.InResponses() {
		sentences = append(sentences, s.Meaning+".", defaultOfSetting(s), sinceOf(s), tierOf(s, s.Request))
	}
	names, byValue := s.Needs()
	list := strings.Join(names, ", ")
	if len(names) > 1 {
		list = strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
	}
	switch {
	case len(names) == 0:
	case byValue:
		sentences = append(sentences, "needs a value of "+list+" if it is turned on, set before or in the same call.")
	default:
		sentences = append(sentences, "requires "+list+" in the same call if it is turned on.")
	}
	if s.Name == "performance_bar_allowed_group_id" {
		sentences = append(sentences, "is the path of the group, although results have its ID. Deprecated: use "+
			"performance_bar_allowed_group_path.")
	}
	if len(sentences) == 0 {
		return ""
	}
	sentences[0] = fieldOfSetting(s.Name) + " " + sentences[0]
	if len(names) > 0 && len(sentences) > 1 {
		last := len(sentences) - 1
		sentences[last] = "It " + sentences[last]
	}
	return joinedSentences(sentences)
}

func joinedSentences(sentences []string) string {
	return strings.Join(slices.DeleteFunc(sentences, func(s string) bool { return s == "" }), " ")
}

var numeral = regexp.MustCompile(`^-?\d+(?:\.\d+)?$`)

// defaultOfSetting says what the default of a setting is, unless it is false, empty or not known.
func defaultOfSetting(s inventory.Setting) string {
	isText := s.Kind == "string" || s.Kind == "enum" || s.Kind == "duration text"
	switch {
	case s.Default == "from configuration":
		return "The configuration of the instance has the default."
	case !s.InRequests(), slices.Contains([]string{"", "null", "false", "empty"}, s.Default),
		strings.HasPrefix(s.Default, "the product"), strings.HasSuffix(s.Name, "_raw"):
	case s.Default == "true":
		return "True by default."
	case isText:
		return fmt.Sprintf("The default is %q.", s.Default)
	case numeral.MatchString(s.Default) && typeOfSetting[s.Name] == "" && !strings.HasSuffix(s.Name, keyRestriction):
		return "The default is " + s.Default + "."
	}
	return ""
}

// sinceOf says which releases have a setting.
func sinceOf(s inventory.Setting) string {
	release, unsure := strings.CutSuffix(s.Since, " (?)")
	switch {
	case s.Since == "":
		return ""
	case s.Since == "removed":
		return "Later releases do not have it."
	case strings.HasPrefix(s.Since, "re"): // removed, or replaced
		return strings.ToUpper(s.Since[:1]) + strings.Replace(s.Since[1:], " (?)", " or before", 1) + "."
	case unsure:
		return "Since about " + release + "."
	}
	return "Since " + s.Since + "."
}

// tierOf says which tiers have a setting.
func tierOf(s inventory.Setting, column string) string {
	tier, isKnown := map[string]string{"premium": "Premium", "ultimate": "Ultimate"}[s.Tier]
	switch {
	case s.Tier == "":
		return ""
	case isKnown && column == "licensed":
		return tier + ": lower tiers do not have it."
	case isKnown:
		return tier + "."
	case column == "licensed":
		return "Paid tiers: Free does not have it."
	}
	return "Paid tiers."
}

const keyRestriction = "_key_restriction"

// typeOfSetting has the types of settings that do not follow from their kind.
var typeOfSetting = map[string]string{
	"default_branch_protection":          "BranchProtection",
	"default_branch_protection_defaults": "BranchProtectionDefaults",
	"default_group_visibility":           "Visibility",
	"default_project_creation":           "DefaultProjectCreation",
	"default_project_visibility":         "Visibility",
	"default_snippet_visibility":         "Visibility",
	"duo_availability":                   "DuoAvailability",
	"duo_chat_expiration_column":         "DuoChatExpirationColumn",
	"duo_namespace_access_rules":         "[]*DuoNamespaceAccessRule",
	"duo_workflow_oauth_application_id":  "int64",
	"elasticsearch_client_adapter":       "ElasticsearchClientAdapter",
	"elasticsearch_index_settings":       "[]*ElasticsearchIndexSettings",
	"elasticsearch_replicas":             "ElasticsearchCount",
	"elasticsearch_shards":               "ElasticsearchCount",
	"email_confirmation_setting":         "EmailConfirmationSetting",
	"enabled_git_access_protocol":        "GitAccessProtocol",
	"file_template_project_id":           "int64",
	"first_day_of_week":                  "time.Weekday",
	"foundational_agents_statuses":       "[]*FoundationalAgentStatus",
	"id":                                 "int64",
	"kroki_formats":                      "map[string]bool",
	"package_metadata_purl_types":        "[]int",
	"performance_bar_allowed_group_id":   "int64",
	"repository_storages_weighted":       "map[string]int",
	"resource_usage_limits":              "json.RawMessage",
	"restricted_visibility_levels":       "[]Visibility",
	"service_product_usage_data_source":  "ProductUsageDataSource",
	"sidekiq_job_limiter_mode":           "SidekiqJobLimiterMode",
	"sign_in_restrictions":               "SignInRestrictions",
	"vscode_extension_marketplace":       "VSCodeExtensionMarketplace",
	"whats_new_variant":                  "WhatsNewVariant",
}

// settingType returns the type of a setting that has a value.
func settingType(s inventory.Setting) string {
	switch typ := typeOfSetting[s.Name]; {
	case typ != "":
		return typ
	case s.Secret:
		return "Secret"
	case strings.HasSuffix(s.Name, keyRestriction):
		return "KeyRestriction"
	}
	return map[string]string{
		"bool": "bool", "decimal": "float64", "duration text": "string", "float": "float64", "int": integerType(s),
		"list of int": "[]int64", "list of string": "[]string", "string": "string", "time": "time.Time",
	}[s.Kind]
}

// integerType returns int64 for sizes and for times in seconds.
func integerType(s inventory.Setting) string {
	unit, _, _ := strings.Cut(s.Values, ",")
	if slices.Contains([]string{"s", "bytes", "KB", "MB", "MiB", "GB"}, unit) {
		return "int64"
	}
	return "int"
}

// isPointerOfSetting reports whether a setting is a pointer in results.
func isPointerOfSetting(s inventory.Setting) bool {
	typ := settingType(s)
	return isValueType(typ) && s.IsPointer() || isObjectType(typ)
}

// isValueType reports whether a type is a number, a boolean or a time.
func isValueType(typ string) bool {
	return slices.Contains([]string{"bool", "int", "int64", "float64", "time.Time", "time.Weekday", "BranchProtection",
		"DefaultProjectCreation", "KeyRestriction"}, typ)
}

// isObjectType reports whether a type is a struct.
func isObjectType(typ string) bool {
	return slices.Contains([]string{"BranchProtectionDefaults", "ElasticsearchCount", "SignInRestrictions",
		"VSCodeExtensionMarketplace"}, typ)
}

// optionType returns the type of a setting in options.
func optionType(s inventory.Setting) string {
	typ := settingType(s)
	if s.Name == "performance_bar_allowed_group_id" {
		typ = "string"
	}
	switch {
	case strings.HasPrefix(typ, "[]"), strings.HasPrefix(typ, "map["), typ == "json.RawMessage":
		return typ
	case s.IsNullable():
		return "Nullable[" + typ + "]"
	}
	return "*" + typ
}

// wordsOfSettings are the words in the names of settings that Go writes in another way than with
// one capital.
var wordsOfSettings = map[string]string{
	"ai": "AI", "api": "API", "arn": "ARN", "asciidoc": "AsciiDoc", "aws": "AWS", "cd": "CD", "ci": "CI",
	"clickhouse": "ClickHouse", "cpu": "CPU", "csv": "CSV", "devops": "DevOps", "diagramsnet": "DiagramsNet",
	"dns": "DNS", "dsa": "DSA", "dsn": "DSN", "ecdsa": "ECDSA", "eks": "EKS", "floc": "FLoC", "gb": "GB",
	"gc": "GC", "github": "GitHub", "gpg": "GPG", "html": "HTML", "http": "HTTP", "id": "ID", "ide": "IDE",
	"ids": "IDs", "iframe": "IFrame", "ips": "IPs", "json": "JSON", "kb": "KB", "ldap": "LDAP", "lfs": "LFS",
	"mb": "MB", "npm": "NPM", "nuget": "NuGet", "oauth": "OAuth", "otp": "OTP", "pat": "PAT", "pipl": "PIPL",
	"plantuml": "PlantUML", "purl": "PURL", "pypi": "PyPI", "recaptcha": "ReCAPTCHA", "ropc": "ROPC", "rsa": "RSA",
	"s3": "S3", "saml": "SAML", "sbom": "SBOM", "sha": "SHA", "sk": "SK", "smartcn": "SmartCN", "ssh": "SSH",
	"ssl": "SSL", "sso": "SSO", "txt": "TXT", "uri": "URI", "url": "URL", "vscode": "VSCode", "xml": "XML",
	"yaml": "YAML",
}

// fieldOfSetting returns the name of the field for a setting.
func fieldOfSetting(name string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(name, "_") {
		b.WriteString(cmp.Or(wordsOfSettings[word], strings.ToUpper(word[:1])+word[1:]))
	}
	return b.String()
}
