// OpenFeature's Go SDK over its OFREP provider, driven line by line: arguments are the HTTP URL and a key.
//
// A line of standard input is JSON: the type, the key and the default of a flag, and the context. The answer is a line of JSON:
// what the SDK says of the evaluation.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"log"
	"os"

	"github.com/open-feature/go-sdk-contrib/providers/ofrep"
	"github.com/open-feature/go-sdk/openfeature"
)

type question struct {
	Type    string          `json:"type"`
	Key     string          `json:"key"`
	Default json.RawMessage `json:"default"`
	Context map[string]any  `json:"context"`
}

type answer struct {
	Value     any                      `json:"value"`
	Variant   string                   `json:"variant"`
	Reason    openfeature.Reason       `json:"reason"`
	ErrorCode openfeature.ErrorCode    `json:"errorCode"`
	Metadata  openfeature.FlagMetadata `json:"metadata"`
}

func main() {
	provider := ofrep.NewProvider(os.Args[1], ofrep.WithBearerToken(os.Args[2]))
	if err := openfeature.SetProviderAndWait(provider); err != nil {
		log.Fatal(err)
	}
	client := openfeature.NewClient("line-by-line")
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1024*1024)
	for lines.Scan() {
		var asked question
		must(json.Unmarshal(lines.Bytes(), &asked))
		said, err := json.Marshal(evaluate(client, asked))
		must(err)
		_, err = os.Stdout.Write(append(said, '\n'))
		must(err)
	}
}

func evaluate(client *openfeature.Client, asked question) answer {
	targetingKey, _ := asked.Context["targetingKey"].(string)
	delete(asked.Context, "targetingKey")
	user := openfeature.NewEvaluationContext(targetingKey, asked.Context)
	ctx := context.Background()
	switch asked.Type {
	case "boolean":
		details, _ := client.BooleanValueDetails(ctx, asked.Key, defaultOf[bool](asked), user)
		return answerOf(details.Value, details.EvaluationDetails)
	case "string":
		details, _ := client.StringValueDetails(ctx, asked.Key, defaultOf[string](asked), user)
		return answerOf(details.Value, details.EvaluationDetails)
	case "integer":
		details, _ := client.IntValueDetails(ctx, asked.Key, defaultOf[int64](asked), user)
		return answerOf(details.Value, details.EvaluationDetails)
	case "float":
		details, _ := client.FloatValueDetails(ctx, asked.Key, defaultOf[float64](asked), user)
		return answerOf(details.Value, details.EvaluationDetails)
	default:
		details, _ := client.ObjectValueDetails(ctx, asked.Key, defaultOf[any](asked), user)
		return answerOf(details.Value, details.EvaluationDetails)
	}
}

func defaultOf[T any](asked question) T {
	var value T
	must(json.Unmarshal(asked.Default, &value))
	return value
}

func answerOf(value any, details openfeature.EvaluationDetails) answer {
	return answer{value, details.Variant, details.Reason, details.ErrorCode, details.FlagMetadata}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
