// GO Feature Flag's evaluation, driven line by line.
//
// A line of standard input is JSON: flags by their keys, as in a configuration, and contexts. The answer is a line of JSON: for each
// flag its value for each context, null where SDKs return the default in the code.
package main

import (
	"bufio"
	"encoding/json"
	"io"
	"log"
	"log/slog"
	"os"

	"github.com/thomaspoignant/go-feature-flag/modules/core/ffcontext"
	"github.com/thomaspoignant/go-feature-flag/modules/core/flag"
)

type question struct {
	Flags    map[string]flag.InternalFlag `json:"flags"`
	Contexts []struct {
		Key        string         `json:"key"`
		Attributes map[string]any `json:"attributes"`
	} `json:"contexts"`
}

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 16*1024*1024)
	for lines.Scan() {
		var asked question
		must(json.Unmarshal(lines.Bytes(), &asked))
		values := map[string][]any{}
		for key, definition := range asked.Flags {
			values[key] = evaluate(key, definition, asked)
		}
		answer, err := json.Marshal(values)
		must(err)
		_, err = os.Stdout.Write(append(answer, '\n'))
		must(err)
	}
	must(lines.Err())
}

func evaluate(key string, definition flag.InternalFlag, asked question) []any {
	values := []any{}
	for _, given := range asked.Contexts {
		context := ffcontext.NewEvaluationContextBuilder(given.Key)
		for name, value := range given.Attributes {
			context.AddCustom(name, value)
		}
		value, _ := definition.Value(key, context.Build(), flag.Context{DefaultSdkValue: nil})
		values = append(values, value)
	}
	return values
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
