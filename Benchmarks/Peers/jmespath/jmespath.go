// KrakenD's way: encoding/json with exact numbers, go-jmespath, encoding/json. The argument is the expression, or "join" for the
// join that a service in Go would have.
//
// Reads a length, the document, then numbers of repetitions; answers each with nanoseconds of processor time, and 0 with
// the answer.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/jmespath/go-jmespath"
)

func main() {
	expression := jmespath.MustCompile(os.Args[1])
	input := bufio.NewReader(os.Stdin)
	var length int
	if _, err := fmt.Fscanln(input, &length); err != nil {
		panic(err)
	}
	document := make([]byte, length)
	if _, err := io.ReadFull(input, document); err != nil {
		panic(err)
	}
	for {
		var count int
		if _, err := fmt.Fscanln(input, &count); err != nil {
			return
		}
		if count == 0 {
			fmt.Println(string(answer(expression, document)))
			continue
		}
		start := processorTime()
		for turn := 0; turn < count; turn++ {
			answer(expression, document)
		}
		fmt.Println(processorTime() - start)
	}
}

type book struct {
	Title  string `json:"title"`
	Author *int64 `json:"author"`
}

type author struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type row struct {
	Title  string  `json:"title"`
	Author *string `json:"author,omitempty"`
}

// The books with the names of their authors, by a map.
func joined(document []byte) []byte {
	var library struct {
		Books   []book   `json:"books"`
		Authors []author `json:"authors"`
	}
	if err := json.Unmarshal(document, &library); err != nil {
		panic(err)
	}
	names := make(map[int64]*string, len(library.Authors))
	for index := range library.Authors {
		names[library.Authors[index].ID] = &library.Authors[index].Name
	}
	rows := make([]row, 0, len(library.Books))
	for _, book := range library.Books {
		row := row{Title: book.Title}
		if book.Author != nil {
			row.Author = names[*book.Author]
		}
		rows = append(rows, row)
	}
	text, err := json.Marshal(rows)
	if err != nil {
		panic(err)
	}
	return text
}

func answer(expression *jmespath.JMESPath, document []byte) []byte {
	if os.Args[1] == "join" {
		return joined(document)
	}
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	var value interface{}
	if err := decoder.Decode(&value); err != nil {
		panic(err)
	}
	result, err := expression.Search(value)
	if err != nil {
		panic(err)
	}
	text, err := json.Marshal(result)
	if err != nil {
		panic(err)
	}
	return text
}

// The processor time of all threads, the garbage collector's too.
func processorTime() int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}
