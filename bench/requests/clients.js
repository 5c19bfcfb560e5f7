/*
 * The fields that clients send by themselves, besides `Host` and those of content, in their order and case. curl and
 * `fetch()` of Node were recorded with `curl/7.88.1` and Node 20; the others are what the clients of these versions
 * send to an API.
 */

const cookies = "session=8f2c1e5b9d4a4c1f8e0f6b7a2d3c4e5f; theme=dark; _ga=GA1.2.1234567890.1700000000";

export const clients = {
  "Chrome, fetch()": [
    "Connection: keep-alive",
    'sec-ch-ua: "Google Chrome";v="131", "Chromium";v="131", "Not_A Brand";v="24"',
    "sec-ch-ua-mobile: ?0",
    'sec-ch-ua-platform: "Windows"',
    "User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 " +
      "Safari/537.36",
    "Accept: */*",
    "Sec-Fetch-Site: same-origin",
    "Sec-Fetch-Mode: cors",
    "Sec-Fetch-Dest: empty",
    "Referer: https://shop.example/items",
    "Accept-Encoding: gzip, deflate, br, zstd",
    "Accept-Language: en-US,en;q=0.9,de;q=0.8",
    `Cookie: ${cookies}`,
  ],
  "Chrome, page": [
    "Connection: keep-alive",
    'sec-ch-ua: "Google Chrome";v="131", "Chromium";v="131", "Not_A Brand";v="24"',
    "sec-ch-ua-mobile: ?0",
    'sec-ch-ua-platform: "Windows"',
    "Upgrade-Insecure-Requests: 1",
    "User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 " +
      "Safari/537.36",
    "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8," +
      "application/signed-exchange;v=b3;q=0.7",
    "Sec-Fetch-Site: none",
    "Sec-Fetch-Mode: navigate",
    "Sec-Fetch-User: ?1",
    "Sec-Fetch-Dest: document",
    "Accept-Encoding: gzip, deflate, br, zstd",
    "Accept-Language: en-US,en;q=0.9,de;q=0.8",
    `Cookie: ${cookies}`,
  ],
  "Firefox, axios": [
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0",
    "Accept: application/json, text/plain, */*",
    "Accept-Language: en-US,en;q=0.5",
    "Accept-Encoding: gzip, deflate, br, zstd",
    "Connection: keep-alive",
    "Referer: https://shop.example/items",
    `Cookie: ${cookies}`,
    "Sec-Fetch-Dest: empty",
    "Sec-Fetch-Mode: cors",
    "Sec-Fetch-Site: same-origin",
    "Priority: u=0",
  ],
  "fetch() of Node": [
    "connection: keep-alive",
    "accept: */*",
    "accept-language: *",
    "sec-fetch-mode: cors",
    "user-agent: node",
    "accept-encoding: gzip, deflate",
  ],
  "axios on Node, traced": [
    "Accept: application/json, text/plain, */*",
    "User-Agent: axios/1.7.9",
    "Accept-Encoding: gzip, compress, deflate, br",
    "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "Connection: keep-alive",
  ],
  curl: ["User-Agent: curl/7.88.1", "Accept: */*"],
  "OkHttp, an SDK": [
    "Accept: application/json",
    "Connection: Keep-Alive",
    "Accept-Encoding: gzip",
    "User-Agent: okhttp/4.12.0",
  ],
  "URLSession, an SDK": [
    "Accept: application/json",
    "Accept-Language: en-US,en;q=0.9",
    "Connection: keep-alive",
    "Accept-Encoding: gzip, deflate, br",
    "User-Agent: Shop/214 CFNetwork/1568.200.51 Darwin/24.1.0",
  ],
};

/** Of what an API answers, three kinds by turns. */
export const ofApi = ["Firefox, axios", "fetch() of Node", "OkHttp, an SDK"];
export const ofWrites = ["Chrome, fetch()", "axios on Node, traced", "URLSession, an SDK"];
export const ofPages = ["Chrome, page", "Chrome, fetch()", "curl"];
