/* version.h - what this build is. The build defines SP_VERSION (package.json) and SP_HDF5_VERSION
 * (vendor/hdf5/recipe.json). */
#ifndef SP_BASE_VERSION_H
#define SP_BASE_VERSION_H

#ifndef SP_VERSION
#define SP_VERSION "0.0.0"
#endif
#ifndef SP_HDF5_VERSION
#define SP_HDF5_VERSION "unknown"
#endif
#ifdef __EMSCRIPTEN__
#define SP_BUILD "wasm"
#else
#define SP_BUILD "native"
#endif

#endif
