import { randomBytes } from "node:crypto";
import { codeOf, type Database, type Run } from "./database.ts";
import type { News } from "./news.ts";
import type { Shared } from "./shared.ts";
import { sql, type Sql } from "./sql.ts";

export interface UserRow {
  readonly id: number;
  readonly email: string;
  readonly username: string;
  readonly password: string;
  readonly bio: string | null;
  readonly image: string | null;
}

export interface ProfileRow {
  readonly username: string;
  readonly bio: string | null;
  readonly image: string | null;
  readonly following: boolean;
}

export interface ArticleRow {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly body: string;
  readonly tagList: string[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly favorited: boolean;
  readonly favoritesCount: number;
  readonly author: ProfileRow;
}

export interface CommentRow {
  readonly id: number;
  readonly body: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly author: ProfileRow;
}

export interface Filter {
  readonly limit: number;
  readonly offset: number;
  readonly tag?: string | undefined;
  readonly author?: string | undefined;
  readonly favorited?: string | undefined;
  /** Only articles of authors whom this user follows. */
  readonly follower?: number;
}

/** Why a change was refused: nobody is there, or what is there already. */
export type Refusal = "missing" | { readonly taken: string };

const json = (column: Sql): Sql => sql`to_json(${column} at time zone 'UTC')#>>'{}' || 'Z'`;
const profile = (reader: number | null): Sql => sql`json_build_object(
  'username', u.username, 'bio', u.bio, 'image', u.image,
  'following', exists (select from follows where follower = ${reader}::integer and followed = u.id)
)`;
const article = (reader: number | null): Sql => sql`
  a.slug, a.title, a.description, a.body, a.tags as "tagList",
  ${json(sql`a.created`)} as "createdAt", ${json(sql`a.updated`)} as "updatedAt",
  exists (select from favorites where article = a.id and reader = ${reader}::integer) as favorited,
  (select count(*)::integer from favorites where article = a.id) as "favoritesCount",
  ${profile(reader)} as author`;
const comment = (reader: number | null): Sql => sql`
  c.id, c.body, ${json(sql`c.created`)} as "createdAt", ${json(sql`c.updated`)} as "updatedAt", ${profile(reader)} as author`;

/** All that the application asks of its database. */
export class Store {
  readonly #database: Database;
  readonly #run: Run;
  readonly #shared: Shared;

  constructor(database: Database, shared: Shared) {
    this.#database = database;
    this.#run = database.run;
    this.#shared = shared;
  }

  /** The articles that any process publishes. */
  get published(): News["inbox"] {
    return this.#shared.news.inbox;
  }

  ping(): Promise<unknown> {
    return this.#run(sql`select 1`);
  }

  async user(id: number): Promise<UserRow | undefined> {
    return (await this.#run<UserRow>(sql`select * from users where id = ${id}`))[0];
  }

  async userByEmail(email: string): Promise<UserRow | undefined> {
    return (await this.#run<UserRow>(sql`select * from users where lower(email) = lower(${email})`))[0];
  }

  addUser(user: Pick<UserRow, "email" | "username" | "password">): Promise<UserRow | Refusal> {
    const { email, username, password } = user;
    return unlessTaken(
      async () =>
        (
          await this.#run<UserRow>(
            sql`insert into users (email, username, password) values (${email}, ${username}, ${password}) returning *`,
          )
        )[0]!,
    );
  }

  changeUser(id: number, change: Partial<Omit<UserRow, "id">>): Promise<UserRow | Refusal> {
    const { email = null, username = null, password = null, bio, image } = change;
    return unlessTaken(
      async () =>
        (
          await this.#run<UserRow>(sql`update users set
            email = coalesce(${email}, email), username = coalesce(${username}, username),
            password = coalesce(${password}, password),
            bio = case when ${bio !== undefined}::boolean then ${bio ?? null}::text else bio end,
            image = case when ${image !== undefined}::boolean then ${image ?? null}::text else image end
            where id = ${id} returning *`)
        )[0] ?? "missing",
    );
  }

  async profile(username: string, reader: number | null): Promise<ProfileRow | undefined> {
    const [found] = await this.#run<{ profile: ProfileRow }>(
      sql`select ${profile(reader)} as profile from users u where username = ${username}`,
    );
    return found?.profile;
  }

  async follow(username: string, reader: number, isFollowing: boolean): Promise<ProfileRow | undefined> {
    await this.#run(
      isFollowing
        ? sql`insert into follows select ${reader}::integer, id from users where username = ${username} on conflict do nothing`
        : sql`delete from follows where follower = ${reader}
            and followed in (select id from users where username = ${username})`,
    );
    return this.profile(username, reader);
  }

  async articles(filter: Filter, reader: number | null): Promise<{ articles: ArticleRow[]; articlesCount: number }> {
    const { tag, author, favorited, follower, limit, offset } = filter;
    const from = sql`from articles a join users u on u.id = a.author where true
      ${tag === undefined ? sql`` : sql`and a.tags @> array[${tag}::text]`}
      ${author === undefined ? sql`` : sql`and u.username = ${author}`}
      ${follower === undefined ? sql`` : sql`and u.id in (select followed from follows where follower = ${follower})`}
      ${
        favorited === undefined
          ? sql``
          : sql`and a.id in (select article from favorites join users r on r.id = reader where r.username = ${favorited})`
      }`;
    const [articles, [count]] = await Promise.all([
      this.#run<ArticleRow>(
        sql`select ${article(reader)} ${from} order by a.created desc, a.id desc limit ${limit} offset ${offset}`,
      ),
      this.#run<{ count: number }>(sql`select count(*)::integer as count ${from}`),
    ]);
    return { articles, articlesCount: count!.count };
  }

  async article(slug: string, reader: number | null): Promise<ArticleRow | undefined> {
    return (
      await this.#run<ArticleRow>(
        sql`select ${article(reader)} from articles a join users u on u.id = a.author where slug = ${slug}`,
      )
    )[0];
  }

  /** Adds an article, and tells all processes of it. */
  async addArticle(
    author: number,
    { title, description, body, tagList }: Pick<ArticleRow, "title" | "description" | "body" | "tagList">,
  ): Promise<ArticleRow> {
    const slug = slugOf(title);
    const tags = sql`array(select jsonb_array_elements_text(${JSON.stringify([...new Set(tagList)].toSorted())}::text::jsonb))`;
    const { news } = this.#shared;
    const row = await this.#database.transaction(async (run) => {
      const [found] = await run<{ username: string }>(sql`with a as (
          insert into articles (author, slug, title, description, body, tags)
          values (${author}, ${slug}, ${title}, ${description}, ${body}, ${tags}) returning author
        ) select username from a join users u on u.id = a.author`);
      const published = { slug, title, author: found!.username };
      await news.within(run, published);
      return published;
    });
    await news.after(row);
    return (await this.article(slug, author))!;
  }

  async changeArticle(
    slug: string,
    author: number,
    {
      title = null,
      description = null,
      body = null,
    }: Partial<Record<"title" | "description" | "body", string | null | undefined>>,
  ): Promise<ArticleRow | undefined> {
    const next = title === null ? slug : slugOf(title);
    const [changed] = await this.#run(sql`update articles set slug = ${next}, title = coalesce(${title}, title),
      description = coalesce(${description}, description), body = coalesce(${body}, body), updated = now()
      where slug = ${slug} and author = ${author} returning id`);
    return changed && this.article(next, author);
  }

  /** Whether it was there, and theirs. */
  async removeArticle(slug: string, author: number): Promise<boolean> {
    const removed = await this.#run(sql`delete from articles where slug = ${slug} and author = ${author} returning id`);
    return removed.length > 0;
  }

  /** Whose article it is. */
  async authorOf(slug: string): Promise<number | undefined> {
    return (await this.#run<{ author: number }>(sql`select author from articles where slug = ${slug}`))[0]?.author;
  }

  async favorite(slug: string, reader: number, isFavorite: boolean): Promise<ArticleRow | undefined> {
    await this.#run(
      isFavorite
        ? sql`insert into favorites select id, ${reader}::integer from articles where slug = ${slug} on conflict do nothing`
        : sql`delete from favorites where reader = ${reader} and article in (select id from articles where slug = ${slug})`,
    );
    return this.article(slug, reader);
  }

  async comments(slug: string, reader: number | null): Promise<CommentRow[] | undefined> {
    if ((await this.#run(sql`select from articles where slug = ${slug}`)).length === 0) return undefined;
    return this.#run<CommentRow>(sql`select ${comment(reader)} from comments c join users u on u.id = c.author
      where c.article = (select id from articles where slug = ${slug}) order by c.id`);
  }

  async addComment(slug: string, author: number, body: string): Promise<CommentRow | undefined> {
    return (
      await this.#run<CommentRow>(sql`with c as (
          insert into comments (article, author, body) select id, ${author}::integer, ${body} from articles where slug = ${slug}
          returning *
        ) select ${comment(author)} from c join users u on u.id = c.author`)
    )[0];
  }

  /** Whether it was there, and theirs. */
  async removeComment(slug: string, id: number, author: number): Promise<boolean> {
    const which = sql`${commentOf(slug, id)} and author = ${author}`;
    return (await this.#run(sql`delete from comments where ${which} returning id`)).length > 0;
  }

  /** Whose comment it is. */
  async commenterOf(slug: string, id: number): Promise<number | undefined> {
    const found = await this.#run<{ author: number }>(sql`select author from comments where ${commentOf(slug, id)}`);
    return found[0]?.author;
  }

  async tags(): Promise<string[]> {
    const rows = await this.#run<{ tag: string }>(
      sql`select tag from articles, unnest(tags) as tag group by tag order by count(*) desc, tag limit 100`,
    );
    return rows.map(({ tag }) => tag);
  }
}

const commentOf = (slug: string, id: number): Sql =>
  sql`id = ${id} and article = (select id from articles where slug = ${slug})`;

async function unlessTaken<Result>(act: () => Promise<Result>): Promise<Result | Refusal> {
  try {
    return await act();
  } catch (error) {
    if (codeOf(error) !== "23505") throw error;
    return { taken: /email/.test(String((error as Error).message)) ? "email" : "username" };
  }
}

/** Words of the title, and what makes them one of their kind. */
function slugOf(title: string): string {
  const words = title
    .normalize("NFKD")
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? ["article"];
  return `${words.join("-").slice(0, 80)}-${randomBytes(4).toString("hex")}`;
}
