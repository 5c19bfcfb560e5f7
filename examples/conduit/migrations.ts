import { sql, type Sql } from "./sql.ts";

/** What each version adds. Never change one that was released: add another. */
export const migrations: readonly (readonly Sql[])[] = [
  [
    sql`create table users (
      id integer primary key generated always as identity,
      email text not null,
      username text not null unique,
      password text not null,
      bio text,
      image text
    )`,
    sql`create unique index users_email on users (lower(email))`,
    sql`create table follows (
      follower integer not null references users on delete cascade,
      followed integer not null references users on delete cascade,
      primary key (follower, followed)
    )`,
    sql`create table articles (
      id integer primary key generated always as identity,
      author integer not null references users on delete cascade,
      slug text not null unique,
      title text not null,
      description text not null,
      body text not null,
      tags text[] not null,
      created timestamptz not null default now(),
      updated timestamptz not null default now()
    )`,
    sql`create index articles_by_time on articles (created desc, id desc)`,
    sql`create index articles_by_author on articles (author, created desc)`,
    sql`create index articles_by_tag on articles using gin (tags)`,
    sql`create table favorites (
      article integer not null references articles on delete cascade,
      reader integer not null references users on delete cascade,
      primary key (article, reader)
    )`,
    sql`create index favorites_by_reader on favorites (reader)`,
    sql`create table comments (
      id integer primary key generated always as identity,
      article integer not null references articles on delete cascade,
      author integer not null references users on delete cascade,
      body text not null,
      created timestamptz not null default now(),
      updated timestamptz not null default now()
    )`,
    sql`create index comments_by_article on comments (article, id)`,
  ],
];
