/**
 * Bytes whose memory is not shared: `Uint8Array<ArrayBuffer>`. Declarations of the package name it so, because before
 * TypeScript 5.7 `Uint8Array` has no parameter. The type would be an error there, and `any` with `skipLibCheck`.
 */
export type Bytes = ReturnType<Uint8Array["slice"]>;

/** A view of memory that is not shared: `ArrayBufferView<ArrayBuffer>`. */
export type BytesView = Pick<Uint8Array, "byteLength" | "byteOffset"> & { readonly buffer: Bytes["buffer"] };
