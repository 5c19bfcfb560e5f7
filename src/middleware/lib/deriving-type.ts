import { Attribute } from "../../application/attribute.ts";

/**
 * The media type that was negotiated, by which the tag of an answer is derived. It is empty for the first one that is
 * offered: that has the tag of the version.
 */
export const derivingType: Attribute<string> = new Attribute("derivingType");
