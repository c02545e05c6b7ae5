#if Mail
import CGMime
import CXml2

/// What GMime and libxml2 keep for the whole process.
enum GMimeLibrary {
    /// Touch it before anything else of either library.
    ///
    /// `g_mime_init` counts its calls without a lock, and each of GMime's `get_type` functions checks a plain static
    /// variable, so that two threads may register one type twice: all that parsing uses are called here, under
    /// Swift's once. Afterwards that state is only read.
    static let isReady: Bool = {
        g_mime_init()
        xmlInitParser()
        _ = (
            g_mime_parser_get_type(), g_mime_stream_get_type(), g_mime_stream_mem_get_type(),
            g_mime_stream_fs_get_type(), g_mime_stream_cat_get_type(), g_mime_stream_filter_get_type(),
            g_mime_stream_null_get_type()
        )
        _ = (
            g_mime_filter_get_type(), g_mime_filter_basic_get_type(), g_mime_data_wrapper_get_type(),
            g_mime_header_get_type(), g_mime_header_list_get_type(), g_mime_content_type_get_type(),
            g_mime_content_disposition_get_type(), g_mime_param_get_type(), g_mime_param_list_get_type()
        )
        _ = (
            g_mime_object_get_type(), g_mime_part_get_type(), g_mime_text_part_get_type(),
            g_mime_multipart_get_type(), g_mime_multipart_signed_get_type(),
            g_mime_multipart_encrypted_get_type(), g_mime_message_get_type(), g_mime_message_part_get_type(),
            g_mime_message_partial_get_type(), g_mime_application_pkcs7_mime_get_type()
        )
        _ = (
            internet_address_get_type(), internet_address_mailbox_get_type(),
            internet_address_group_get_type(),
            internet_address_list_get_type()
        )
        // The locale's charset and language are found out at their first use.
        _ = (g_mime_locale_charset(), g_mime_locale_language())
        return true
    }()

    /// What this thread's parse uses; frees nothing that is shared.
    static func makeOptions() -> OpaquePointer? {
        guard isReady, let options = g_mime_parser_options_new() else { return nil }
        breeze_gmime_set_charsets(options)
        return options
    }
}

/// A GObject that this value owns one reference of.
final class GObjectReference<Object> {
    let pointer: UnsafeMutablePointer<Object>

    init?(_ pointer: UnsafeMutablePointer<Object>?) {
        guard let pointer else { return nil }
        self.pointer = pointer
    }

    deinit { g_object_unref(pointer) }
}

extension String {
    /// Invalid UTF-8 is mended; `nil` stays `nil`.
    init?(gmime pointer: UnsafePointer<CChar>?) {
        guard let pointer else { return nil }
        self.init(cString: pointer)
    }

    /// A string that GLib allocated for the caller.
    init?(taking pointer: UnsafeMutablePointer<CChar>?) {
        guard let pointer else { return nil }
        self.init(cString: pointer)
        g_free(pointer)
    }

    /// A header's raw value on one line.
    var unfolded: String {
        var line: [UInt8] = []
        line.reserveCapacity(utf8.count)
        var isPending = false
        for byte in utf8 {
            switch byte {
            // Where a line was folded it is the space that follows which counts.
            case 10, 13: break
            case 9, 32: isPending = true
            default:
                if isPending, !line.isEmpty { line.append(32) }
                isPending = false
                line.append(byte)
            }
        }
        return line.count != utf8.count ? String(decoding: line, as: UTF8.self) : self
    }
}
#endif
