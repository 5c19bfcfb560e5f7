import type { StatusConstant } from "../../http/protocol/status.ts";
import type { AnswerOf } from "./answer.ts";
import type { CallReply } from "./call-values.ts";
import type { Method, Operation } from "./operation.ts";

/**
 * The parameters of `resources()`: each member as it is, or in its place a string that says what is wrong with it.
 *
 * A class is looked at by its declared methods: the names of each declaration, and the result of each handler. A
 * handler that takes the `Call` of its own class was compared there. Without a declaration, a handler that returns a
 * `Response` is refused. Classes of the native module and groups pass.
 *
 * @typeParam Members the types of the members, inferred: `<const Members extends readonly unknown[]>`.
 */
export type CheckedMembers<Members extends readonly unknown[]> = number extends Members["length"]
  ? CheckedLists<Members>
  : { readonly [Place in keyof Members]: CheckedMember<Members[Place]> };

/** Members of unknown number: each class that a place may hold. */
type CheckedLists<Members extends readonly unknown[]> = Members extends readonly [unknown, ...unknown[]]
  ? { readonly [Place in keyof Members]: CheckedEach<Members[Place]> }
  : readonly CheckedClass<Members[number]>[];

type CheckedEach<Member> = Member extends unknown ? CheckedMember<Member> : never;

/** A list inside of a list passes, because such a type may contain itself. */
type CheckedClass<Member> = Member extends readonly unknown[] ? Member : CheckedMember<Member>;

/**
 * A member of `resources()`, or a string that says what is wrong with it. The class is a branch of its own type, so
 * that it is inferred from the argument. PERF: `Member & CheckedMember<Member>` inspects each class twice, 25
 * instantiations a handler more, of 246 (`node scripts/check/type-cost.js`).
 */
type CheckedMember<Member> = "prototype" extends keyof Member
  ? Member["prototype"] extends DeclaredHandlers<Member, Member["prototype"]>
    ? Member["prototype"] extends Responding<Exclude<UsualMethod, keyof Member>> | Miscased
      ? Unfit<Member>
      : Member
    : Unfit<Member>
  : Member extends readonly unknown[]
    ? CheckedMembers<Member>
    : Member;

/** A constant in capital letters, and an operation of another name, have no handler: `Unfit` distinguishes them. */
type DeclaredHandlers<Class, Instance> = {
  readonly [Name in keyof Class & (Uppercase<string> | OtherCase)]: Instance[Name & keyof Instance] extends Handling<
    infer Reply
  >["handle"]
    ? [Reply, CallReply<Class, Name>] extends [CallReply<Class, Name>, Reply]
      ? unknown
      : DeclaredHandler<Class[Name]>
    : DeclaredHandler<Class[Name]>;
};

/** A method, because the parameters of methods compare in both directions. */
interface Handling<Reply> {
  handle(call: { readonly reply: Reply }): void;
}

/** Registered status codes are known by one comparison; `Unfit` looks at others. */
type DeclaredHandler<O> = keyof O extends KnownMember ? Handler<O> : never;

type KnownMember = WordMember | StatusConstant["status"] | `${StatusConstant["status"]}`;

/**
 * A handler without `return` will do where nothing is an answer.
 * PERF: `Promise<void>` beside the other results costs 10 instantiations a handler more, of 246
 * (`node scripts/check/type-cost.js`).
 */
type Handler<O> = Returning<AnswerOf<O>>;
type Returning<Given> = Returned<Given | (undefined extends Given ? void : never)>;
type Returned<Result> = (call: never) => Result | Promise<Result>;

/** A handler of an operation, or what is wrong with the names of its members. */
export type CheckedHandler<Name extends Method, O> = keyof O extends KnownMember
  ? Handler<O>
  : [UnknownMember<keyof O>] extends [never]
    ? Handler<O>
    : Misnamed<Name, UnknownMember<keyof O>>;

/**
 * A resource with a handler that returns a `Response`, and nothing else. The other methods are rare, and each costs the
 * compiler.
 */
type Responding<Names extends UsualMethod> = {
  [Name in Names]: { readonly [Key in Name]: (call: never) => Response | Promise<Response> };
}[Names];

/**
 * A resource with a method in another case, which may be a helper beside the handler.
 * `keyof Member["prototype"] & OtherCase` costs the compiler 2 instantiations a handler more
 * (`node scripts/check/type-cost.js`).
 */
type Miscased = { [Name in OtherCase]: { readonly [Key in Name]: (call: never) => unknown } }[OtherCase];

/** The names of methods in the cases that people write. */
type OtherCase = Lowercase<Method> | Capitalize<Lowercase<Method>>;

type UsualMethod = Exclude<Method, "CONNECT" | "HEAD" | "OPTIONS" | "TRACE">;

/** The members of a declaration that are not status codes. */
type WordMember = Exclude<keyof Operation, number>;

type Unfit<Class> = FaultsOf<Class> extends infer Faults ? ([Faults] extends [never] ? Class : Faults) : never;

/** The native module has declarations too, and handlers that return a `Response`. */
type FaultsOf<Class> = "httpModule" extends keyof Class
  ? "native" extends Class["httpModule"]
    ? never
    : AnyFaultIn<Class>
  : AnyFaultIn<Class>;

type AnyFaultIn<Class> =
  | StrayIn<Class, Exclude<keyof Class & (Uppercase<string> | OtherCase), Method>>
  | MisspelledIn<Class>
  | FaultIn<Class, Method & keyof Class>
  | ResponseIn<Class, Exclude<UsualMethod, keyof Class>>;

/**
 * As `build()` finds them: with members of operations only, and an answer below 400. Texts by status count only where
 * the name has the letters of a method, and others where it has capital letters only.
 */
type StrayIn<Class, Name extends keyof Class> = Name extends string
  ? [UnknownMember<keyof Class[Name]>, [AnswerBelow400<keyof Class[Name]>] extends [never] ? true : false] extends [
      never,
      false,
    ]
    ? StrayNamed<Name, MeantBy<Uppercase<Name>>, Class[Name]>
    : never
  : never;

type AnswerBelow400<Key> = Key extends string | number
  ? `${Key}` extends `${1 | 2 | 3}${Digit}${Digit}`
    ? Key
    : never
  : never;

type StrayNamed<Name extends string, Meant extends string, Declared> = [Meant] extends [never]
  ? [Name, Extract<Declared[keyof Declared], object>] extends [Uppercase<string>, infer Answers]
    ? [Answers] extends [never]
      ? never
      : `static ${Name} is an operation, and ${Name} is not a method. Write static GET, static POST, …, or rename it`
    : never
  : `static ${Name} is an operation, and ${Name} is not a method. Write static ${Meant}`;

/** The method of the same letters. */
type MeantBy<Name extends string> = {
  [Other in Method]: IsOfLetters<Name, Other> extends true ? Other : never;
}[Method];

type IsOfLetters<Name extends string, Letters extends string> = Name extends `${infer First}${infer Rest}`
  ? Letters extends `${infer Before}${First}${infer After}`
    ? IsOfLetters<Rest, `${Before}${After}`>
    : false
  : Letters extends ""
    ? true
    : false;

/** A handler in another case, beside the handler of the base class that it would replace. */
type MisspelledIn<Class> = Class extends { readonly prototype: infer Instance }
  ? { [Name in keyof Instance & OtherCase]: MisspelledHandler<Instance, Name> }[keyof Instance & OtherCase]
  : never;

type MisspelledHandler<Instance, Name extends keyof Instance & OtherCase> = Instance[Name] extends (
  ...values: never
) => unknown
  ? Instance extends { readonly [Key in Uppercase<Name>]: infer Replaced }
    ? IsUnimplemented<Replaced> extends true
      ? `${Name}() answers no method. Write ${Uppercase<Name>}()`
      : never
    : never
  : never;

/** The base class has handlers that take and return `unknown`. */
type IsUnimplemented<Given> = Given extends (...values: infer Values) => infer Result
  ? [unknown, Values] extends [Result, [unknown]]
    ? [unknown] extends Values
      ? true
      : false
    : false
  : false;

type ResponseIn<Class, Name extends UsualMethod> = Name extends Name
  ? Class extends { readonly prototype: { readonly [Key in Name]: (call: never) => infer Result } }
    ? [ResponseOf<Awaited<Result>>] extends [never]
      ? never
      : `${Name} returns a Response. Return content or a reply(), or extend the Resource of fingerpost/native`
    : never
  : never;

/** `any` and `unknown` may be anything, and pass. */
type ResponseOf<Result> = unknown extends Result ? never : Extract<Result, Response>;

type FaultIn<Class, Name extends Method & keyof Class> = Name extends Name
  ? Class[Name] extends Made
    ? never
    : FaultOf<Class, Name>
  : never;

/** An operation that `patch()` made has no method of its own. */
interface Made {
  readonly "~patch": object;
}

type FaultOf<Class, Name extends Method & keyof Class> = Name extends Name
  ? [UnknownMember<keyof Class[Name]>] extends [never]
    ? Class extends { readonly prototype: { readonly [Key in Name]: Handler<Class[Name]> } }
      ? never
      : Class extends { readonly prototype: { readonly [Key in Name]: infer Given } }
        ? IsUnimplemented<Given> extends true
          ? NotImplemented<Name, Class["prototype"]>
          : Undeclared<Name>
        : never
    : Misnamed<Name, UnknownMember<keyof Class[Name]>>
  : never;

type Misnamed<
  Name extends Method,
  Key,
> = `static ${Name} declares "${Key & (string | number)}", which is neither a status code nor a member of an operation`;

/**
 * The fault of a method that is declared and lacks. A method in another case, such as `get`, has a message of its own.
 */
type NotImplemented<Name extends Method, Instance> = [
  keyof Instance & (Lowercase<Name> | Capitalize<Lowercase<Name>>),
] extends [never]
  ? `static ${Name} is declared, and ${Name} is not implemented. Write ${Name}(call) { … }`
  : never;

type Undeclared<Name extends Method> =
  `${Name} returns what static ${Name} does not declare. To see where, annotate ${Name}: ${Annotation<Name>}`;

type Annotation<Name extends Method> = `Answer<typeof ThisClass, "${Name}">, or Promise<Answer<…>> if async`;

type UnknownMember<Key> = Key extends WordMember | `${Code}${Digit}${Digit}`
  ? never
  : Key extends number
    ? number extends Key
      ? never
      : `${Key}` extends `${Code}${Digit}${Digit}`
        ? never
        : Key
    : Key;
type Code = 1 | 2 | 3 | 4 | 5;
type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
