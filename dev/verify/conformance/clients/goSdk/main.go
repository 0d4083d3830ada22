// FeatBit's Go SDK, offline: arguments are a file with a data-sync message and the number of its flags, c0, c1 and so on.
//
// A line of standard input is JSON: the text of the user's attribute v, or null where it is missing. The answer is a line with a
// character for each flag: 1 for true, 0 for false, ! for no value.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	featbit "github.com/featbit/featbit-go-sdk"
	"github.com/featbit/featbit-go-sdk/interfaces"
)

func main() {
	message, err := os.ReadFile(os.Args[1])
	must(err)
	count, err := strconv.Atoi(os.Args[2])
	must(err)
	client, err := featbit.MakeCustomFBClient("offline", "ws://127.0.0.1", "http://127.0.0.1", featbit.FBConfig{Offline: true})
	must(err)
	_, err = client.InitializeFromExternalJson(string(message))
	must(err)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var text *string
		must(json.Unmarshal(lines.Bytes(), &text))
		user := interfaces.NewUserBuilder("u1").UserName("u1")
		if text != nil {
			user.Custom("v", *text)
		}
		built, err := user.Build()
		must(err)
		shown := make([]byte, count)
		for n := range shown {
			value, _, _ := client.Variation("c"+strconv.Itoa(n), built, "none")
			shown[n] = map[string]byte{"true": '1', "false": '0', "none": '!'}[value]
		}
		fmt.Println(string(shown))
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
