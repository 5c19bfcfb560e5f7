export const missing = { 404: "No article has this slug" };
