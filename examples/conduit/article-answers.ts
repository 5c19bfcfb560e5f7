export const missing = { 404: "No article has this slug" };
export const owned = { ...missing, 403: "The article is somebody else's" };
export const statusOf = { missing: 404, forbidden: 403 } as const;
