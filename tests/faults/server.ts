import * as native from "fingerpost/modules/http.native.js";
import * as polyfill from "fingerpost/modules/http.polyfill.js";
import { serve, type NodeApplication, type NodeContext } from "fingerpost/node";
import type { Server } from "node:http";
import { faults } from "./faults.ts";

/** The number of a fault is the last segment of its path. */
function faultAt(params: { pathParam(name: string): string | undefined }) {
  return faults[Number(params.pathParam("number"))]!;
}

class NativeFault extends native.Resource {
  override paths = ["/fault/:number"];
  override GET(request: native.RequestOf): Response {
    return faultAt(request.params).native!(request) as Response;
  }
  override HEAD = this.GET;
  override POST = this.GET;
}
class NativeFine extends native.Resource {
  override paths = ["/fine", "/throws"];
  override GET({ params }: native.RequestOf): Response {
    if (params.pattern === "/throws") throw new Error("secret");
    return new Response("fine");
  }
  override POST = async (request: Request): Promise<Response> => new Response(await request.text());
}

class PolyfillFault extends polyfill.Resource {
  override paths = ["/fault/:number"];
  override GET(context: polyfill.ContextOf<polyfill.Routed, NodeContext>): unknown {
    return faultAt(context.params).polyfill!(context);
  }
  override HEAD = this.GET;
  override POST = this.GET;
}
class PolyfillFine extends polyfill.Resource {
  override paths = ["/fine", "/throws"];
  override GET({ params, response }: polyfill.ContextOf<polyfill.Routed, NodeContext>): unknown {
    if (params.pattern === "/throws") throw new Error("secret");
    return response.end("fine");
  }
  override POST({ request, response }: NodeContext): unknown {
    return request.pipe(response);
  }
}

/** Starts a server for each chain; every fifth error makes what observes errors fail too. */
export function started(signal: AbortSignal): Promise<Server[]> {
  let errors = 0;
  const onError = (): void => {
    if (++errors % 5 === 0) throw new Error("observer");
  };
  const applications = [
    native.Application.builder().resources(NativeFault, NativeFine).onError(onError).build() as NodeApplication,
    polyfill.Application.builder().resources(PolyfillFault, PolyfillFine).build(),
  ];
  return Promise.all(applications.map((app) => serve(app, { port: 0, hostname: "127.0.0.1", signal, onError })));
}
