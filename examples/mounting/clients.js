// The client that each framework has, as a program would use it. Each returns what it got.
import { createORPCClient } from "@orpc/client";
import { RPCLink } from "@orpc/client/fetch";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { createAuthClient } from "better-auth/client";

export async function trpc(url, headers) {
  const client = createTRPCClient({ links: [httpBatchLink({ url: `${url}/trpc`, headers })] });
  // Both in one request.
  return Promise.all([
    client.greet.query({ word: "Hello" }),
    client.greet.query({ word: "Bye" }),
    client.add.mutate(1),
  ]);
}

export async function orpc(url, headers) {
  return createORPCClient(new RPCLink({ url: `${url}/orpc`, headers })).greet({ word: "Hello" });
}

export async function yoga(url, headers) {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ query: 'query { greet(word: "Hello") }' }),
  });
  return response.json();
}

export async function hono(url, headers) {
  const found = await fetch(`${url}/legacy/greet/Hello`, { headers });
  const created = await fetch(`${url}/legacy/echo`, { method: "POST", headers, body: '{"n":1}' });
  return [await found.text(), created.status, await created.json()];
}

export async function betterAuth(url) {
  let cookie = "";
  const onSuccess = ({ response }) => {
    cookie = response.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
  };
  const client = createAuthClient({ baseURL: url, fetchOptions: { onSuccess, headers: { origin: url } } });
  const { error } = await client.signUp.email({ email: "ada@example.com", password: "a long password", name: "Ada" });
  if (error !== null) throw new Error(JSON.stringify(error));
  const me = await fetch(`${url}/me`, { headers: { cookie } });
  const nobody = await fetch(`${url}/me`);
  return [me.status, await me.text(), nobody.status];
}
