//! WebP, by the library that WebKit itself shows such pictures with: it is loaded already.

use std::ffi::{c_float, c_int, c_void};

/// `size_t WebPEncodeRGBA(const uint8_t*, int width, int height, int stride, float quality, uint8_t** output)`
type Encode = unsafe extern "C" fn(*const u8, c_int, c_int, c_int, c_float, *mut *mut u8) -> usize;

/// `void WebPFree(void*)`
type Free = unsafe extern "C" fn(*mut c_void);

/// A picture of four bytes a pixel; nothing where the library is missing or refuses.
pub(crate) fn encode(rgba: &[u8], width: u16, height: u16, quality: u8) -> Option<Vec<u8>> {
    // SAFETY: both functions have had these types since there are WebP libraries. The picture has this many rows of this
    // many bytes; the output belongs to us and is freed once.
    unsafe {
        let encode = libc::dlsym(libc::RTLD_DEFAULT, c"WebPEncodeRGBA".as_ptr());
        let free = libc::dlsym(libc::RTLD_DEFAULT, c"WebPFree".as_ptr());
        if encode.is_null() || free.is_null() {
            return None;
        }
        let encode: Encode = std::mem::transmute(encode);
        let free: Free = std::mem::transmute(free);
        let (wide, high) = (c_int::from(width), c_int::from(height));
        let mut output = std::ptr::null_mut();
        let size = encode(rgba.as_ptr(), wide, high, wide * 4, quality.into(), &raw mut output);
        if output.is_null() || size == 0 {
            return None;
        }
        let encoded = std::slice::from_raw_parts(output, size).to_vec();
        free(output.cast());
        Some(encoded)
    }
}
