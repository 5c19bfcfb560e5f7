import { z } from "zod";

const named = <Schema extends z.ZodType>(id: string, schema: Schema): Schema => schema.meta({ id });
// PostgreSQL has no text with NUL.
const text = z.string().regex(/^[^\0]*$/, "must not hold NUL");
const short = text.trim().min(1).max(200);
const time = z.iso.datetime({ offset: true });
const email = z.email().max(200);
const password = z.string().min(8).max(200);
const picture = z.union([z.url().max(500), z.literal("")]).nullable();

export const Profile = named(
  "Profile",
  z.object({ username: z.string(), bio: z.string().nullable(), image: z.string().nullable(), following: z.boolean() }),
);
const summary = {
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  tagList: z.array(z.string()),
  createdAt: time,
  updatedAt: time,
  favorited: z.boolean(),
  favoritesCount: z.int(),
  author: Profile,
};

export const User = z.object({
  user: named(
    "User",
    z.object({
      email: z.string(),
      token: z.string(),
      username: z.string(),
      bio: z.string().nullable(),
      image: z.string().nullable(),
    }),
  ),
});
export const OneProfile = z.object({ profile: Profile });
export const OneArticle = z.object({ article: named("Article", z.object({ ...summary, body: z.string() })) });
export const Articles = z.object({
  articles: z.array(named("ArticleSummary", z.object(summary))),
  articlesCount: z.int(),
});
const comment = named(
  "Comment",
  z.object({ id: z.int(), body: z.string(), createdAt: time, updatedAt: time, author: Profile }),
);
export const OneComment = z.object({ comment });
export const Comments = z.object({ comments: z.array(comment) });
export const Tags = z.object({ tags: z.array(z.string()) });
export const Published = named("Published", z.object({ slug: z.string(), title: z.string(), author: z.string() }));

export const Login = z.object({ user: z.object({ email: z.string().max(200), password: z.string().max(200) }) });
export const NewUser = z.object({ user: z.object({ username: short, email, password }) });
export const UserChange = z.object({
  user: z.object({ username: short, email, password, bio: text.max(5_000).nullable(), image: picture }).partial(),
});
const article = { title: short, description: short, body: text.min(1).max(100_000) };
export const NewArticle = z.object({
  article: z.object({ ...article, tagList: z.array(short.max(50)).max(20).default([]) }),
});
export const ArticleChange = z.object({ article: z.object(article).partial() });
export const NewComment = z.object({ comment: z.object({ body: text.trim().min(1).max(10_000) }) });

const page = { limit: z.int().min(1).max(100).default(20), offset: z.int().min(0).max(1_000_000).default(0) };
export const Page = z.object(page);
export const Filter = z.object({
  ...page,
  tag: z.string().optional(),
  author: z.string().optional(),
  favorited: z.string().optional(),
});
