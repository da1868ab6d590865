<?php
// Passes a payload through thimble-server before it is sent, and on as it is if anything goes wrong.
//
//     $payload = stage($payload);
//
// As a program: reads a payload from standard input and writes it to standard output. PHP 8, no extensions.

/** The payload with its picture made ready, or the same text. */
function stage(string $payload): string
{
    try {
        return request($payload);
    } catch (Throwable $error) {
        fwrite(STDERR, "not staged: {$error->getMessage()}\n");
        return $payload;
    }
}

// Over a socket, because the time limit of file_get_contents is for each read only.
function request(string $payload): string
{
    $url = parse_url(getenv('THIMBLE_URL') ?: 'http://127.0.0.1:8080');
    $isSecure = $url['scheme'] === 'https';
    $port = $url['port'] ?? ($isSecure ? 443 : 80);
    $deadline = (float) (getenv('THIMBLE_DEADLINE') ?: 10);
    // A little longer than the service may take, which answers by the deadline with what it has.
    $end = microtime(true) + $deadline + 1;
    $address = ($isSecure ? 'ssl' : 'tcp') . "://{$url['host']}:$port";
    $connection = @stream_socket_client($address, $number, $reason, $deadline);
    if ($connection === false) {
        throw new Exception($reason);
    }
    $head = [
        'POST ' . rtrim($url['path'] ?? '', '/') . '/v1/stage HTTP/1.0', "Host: {$url['host']}:$port",
        'Content-Type: application/json', "Thimble-Deadline: $deadline",
        'Content-Length: ' . strlen($payload),
    ];
    if ($token = getenv('THIMBLE_TOKEN')) {
        $head[] = "Authorization: Bearer $token";
    }
    stream_set_timeout($connection, (int) ceil($deadline) + 1);
    fwrite($connection, implode("\r\n", $head) . "\r\n\r\n" . $payload);
    $answer = '';
    while (!feof($connection)) {
        $answer .= fread($connection, 65536);
        if (microtime(true) > $end || stream_get_meta_data($connection)['timed_out']) {
            throw new Exception('late');
        }
    }
    [$head, $staged] = explode("\r\n\r\n", $answer, 2) + ['', ''];
    // A proxy may answer in place of the service.
    if (!preg_match('/^HTTP\/1\.[01] 200/', $head) || !preg_match('/^Thimble-Outcome:/im', $head)) {
        throw new Exception(strtok($head, "\r\n") ?: 'no answer');
    }
    if (!preg_match('/^Content-Length: *(\d+)/im', $head, $length) || strlen($staged) != $length[1]) {
        throw new Exception('incomplete');
    }
    if (!is_object(json_decode($staged, false, 512, JSON_THROW_ON_ERROR))) {
        throw new Exception('no object');
    }
    return $staged;
}

if (realpath($_SERVER['SCRIPT_FILENAME']) === __FILE__) {
    echo stage(stream_get_contents(STDIN));
}
