import { mount } from "fingerpost/mount";
import { createSchema, createYoga } from "graphql-yoga";
import { guard, user } from "./user.js";

const yoga = createYoga({
  graphqlEndpoint: "/graphql",
  logging: false,
  context: ({ request }) => ({ user: user.find(request) }),
  schema: createSchema({
    typeDefs: "type Query { greet(word: String!): String! }",
    resolvers: { Query: { greet: (_root, { word }, context) => `${word} ${context.user}` } },
  }),
});

export class GraphQL extends mount(["/graphql"], (request) => yoga.fetch(request)) {
  static middleware = [guard];
}
