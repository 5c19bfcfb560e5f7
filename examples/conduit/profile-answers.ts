import { OneProfile } from "./schemas.ts";

export const foundProfile = { 200: OneProfile, 404: "No user has this name" };
