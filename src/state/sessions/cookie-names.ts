/** The names of the cookies of sessions, by the attributes that have them: guards document them. */
export const cookieNames: WeakMap<object, string> = new WeakMap<object, string>();
