// Passes a payload through thimble-server before it is sent, and on as it is if anything goes wrong.
//
//	payload = Stage(payload)
//
// As a program: reads a payload from standard input and writes it to standard output. Standard library only.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"
)

const longest = 1 << 20

func environment(name, standard string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return standard
}

// Stage returns the payload with its picture made ready, or the same bytes.
func Stage(payload []byte) []byte {
	staged, err := request(payload)
	if err != nil {
		fmt.Fprintln(os.Stderr, "not staged:", err)
		return payload
	}
	return staged
}

func request(payload []byte) ([]byte, error) {
	deadline := environment("THIMBLE_DEADLINE", "10")
	seconds, err := strconv.ParseFloat(deadline, 64)
	if err != nil {
		return nil, err
	}
	url := environment("THIMBLE_URL", "http://127.0.0.1:8080")
	request, err := http.NewRequest("POST", url+"/v1/stage", bytes.NewReader(payload))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Thimble-Deadline", deadline)
	if token := os.Getenv("THIMBLE_TOKEN"); token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	// Longer than the service may take, which answers by the deadline with what it has.
	client := http.Client{Timeout: time.Duration((seconds + 1) * float64(time.Second))}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	// A proxy may answer in place of the service.
	if response.StatusCode != 200 || response.Header.Get("Thimble-Outcome") == "" {
		return nil, fmt.Errorf("status %d", response.StatusCode)
	}
	staged, err := io.ReadAll(io.LimitReader(response.Body, longest))
	if err != nil {
		return nil, err
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(staged, &object); err != nil || object == nil {
		return nil, fmt.Errorf("no object: %v", err)
	}
	return staged, nil
}

func main() {
	payload, err := io.ReadAll(os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Stdout.Write(Stage(payload))
}
