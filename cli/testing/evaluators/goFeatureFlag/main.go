// GO Feature Flag's evaluation, driven line by line.
//
// A line of standard input is JSON: the text of a configuration in JSON or YAML, and contexts. The answer is a line of JSON: for each
// flag its value for each context, null where SDKs return the default in the code. It has no flags if the configuration is refused.
package main

import (
	"bufio"
	"encoding/json"
	"io"
	"log"
	"log/slog"
	"os"

	"github.com/thomaspoignant/go-feature-flag/modules/core/dto"
	"github.com/thomaspoignant/go-feature-flag/modules/core/ffcontext"
	"github.com/thomaspoignant/go-feature-flag/modules/core/flag"
	"gopkg.in/yaml.v3"
)

type question struct {
	JSON     string `json:"json"`
	YAML     string `json:"yaml"`
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
		for key, definition := range read(asked) {
			values[key] = evaluate(key, definition.Convert(), asked)
		}
		answer, err := json.Marshal(values)
		must(err)
		_, err = os.Stdout.Write(append(answer, '\n'))
		must(err)
	}
	must(lines.Err())
}

// As the module's cache of flags does.
func read(asked question) map[string]dto.DTO {
	var flags map[string]dto.DTO
	var err error
	if asked.YAML != "" {
		err = yaml.Unmarshal([]byte(asked.YAML), &flags)
	} else {
		err = json.Unmarshal([]byte(asked.JSON), &flags)
	}
	if err != nil {
		return nil
	}
	return flags
}

func evaluate(key string, definition flag.InternalFlag, asked question) (values []any) {
	// A configuration can end its relay. No SDK gets a value then.
	defer func() {
		if recover() != nil {
			values = make([]any, len(asked.Contexts))
		}
	}()
	isValid := definition.IsValid() == nil
	for _, given := range asked.Contexts {
		context := ffcontext.NewEvaluationContextBuilder(given.Key)
		for name, value := range given.Attributes {
			context.AddCustom(name, value)
		}
		var value any
		if isValid {
			value, _ = definition.Value(key, context.Build(), flag.Context{DefaultSdkValue: nil})
		}
		values = append(values, value)
	}
	return values
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
