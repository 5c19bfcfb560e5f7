// oxlint-disable-next-line import/no-unassigned-import
import "reflect-metadata";
import { randomUUID } from "node:crypto";
import serveFiles from "@fastify/static";
import * as nest from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import * as content from "../content.js";

/** On Fastify, with zod by a pipe, as its manual has it. Decorators are called by hand: this is no TypeScript. */
class SchemaPipe {
  constructor(schema) {
    this.schema = schema;
  }

  transform(value) {
    const { success, data } = this.schema.safeParse(value);
    if (success) return data;
    throw new nest.UnprocessableEntityException();
  }
}

class Items {
  show({ id }, query) {
    return content.shownItemOf(id, query);
  }

  list() {
    return content.listed();
  }

  create(item) {
    return content.createdOf(item);
  }

  text() {
    return content.greeting;
  }

  guarded({ id }, query) {
    return content.shownItemOf(id, query);
  }
}

class Guard {
  canActivate(context) {
    return content.isAuthorized(context.switchToHttp().getRequest().headers.authorization);
  }
}

class Identity {
  intercept(context, next) {
    context.switchToHttp().getResponse().header("x-request-id", randomUUID());
    return next.handle();
  }
}

class Problems {
  catch(error, host) {
    const problem = error.status === 404 ? content.notFound : content.unfit;
    host.switchToHttp().getResponse().code(problem.status).type(content.problemType).send(JSON.stringify(problem));
  }
}

function decorate(method, decorators, params = []) {
  const property = Object.getOwnPropertyDescriptor(Items.prototype, method);
  for (const decorator of decorators) decorator(Items.prototype, method, property);
  params.forEach((decorator, at) => decorator(Items.prototype, method, at));
}

nest.Controller()(Items);
nest.Injectable()(Guard);
nest.Injectable()(Identity);
nest.Catch()(Problems);
const shown = [nest.Param(new SchemaPipe(content.Params)), nest.Query(new SchemaPipe(content.Query))];
decorate("show", [nest.Get("items/:id")], shown);
decorate("list", [nest.Get("items")]);
decorate(
  "create",
  [nest.Post("items"), nest.Header("location", content.createdAt)],
  [nest.Body(new SchemaPipe(content.NewItem))],
);
decorate("text", [nest.Get("text"), nest.Header("content-type", "text/plain")]);
decorate("guarded", [nest.Get("guarded/:id"), nest.UseGuards(Guard), nest.UseInterceptors(Identity)], shown);

// oxlint-disable-next-line typescript/no-extraneous-class
class Module {}
nest.Module({ controllers: [Items] })(Module);

export async function start(port) {
  const app = await NestFactory.create(Module, new FastifyAdapter(), { logger: false });
  app.enableCors({ origin: "*" });
  app.useGlobalFilters(new Problems());
  await app.register(serveFiles, { root: content.folderOfFile(), prefix: "/files/" });
  await app.listen(port);
}
